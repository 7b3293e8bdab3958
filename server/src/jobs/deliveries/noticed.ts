import { setTimeout as wait } from 'node:timers/promises'

/** Which organizations were told to have new events for their webhooks, for whoever waits for that. */
export class NoticedOrganizations {
  /** where there are webhooks: nothing is noted of others */
  watched: ReadonlySet<string> = new Set()
  readonly #noted = new Set<string>()
  #wake = () => {}

  note(orgId: string | undefined): void {
    if (orgId === undefined || !this.watched.has(orgId)) return
    this.#noted.add(orgId)
    this.wake()
  }

  /** Takes some organizations, which wait no longer then. */
  take(): string[] {
    const taken = [...this.#noted].slice(0, mostTaken)
    for (const orgId of taken) this.#noted.delete(orgId)
    return taken
  }

  /** Takes all, for a look at everything. */
  clear(): void {
    this.#noted.clear()
  }

  /** Waits until something is noted, who waits is woken, or the time is over. */
  async wait(mostMs: number): Promise<void> {
    if (this.#noted.size > 0) return
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await wait(Math.max(0, mostMs), undefined, { signal: woken.signal }).catch(() => {})
    this.#wake = () => {}
  }

  wake(): void {
    this.#wake()
  }
}

const mostTaken = 200
