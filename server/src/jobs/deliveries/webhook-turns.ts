/** A webhook that waits for its turn. */
export interface WaitingWebhook {
  orgId: string
  id: string
}

/** How many have a turn at a time: in all, and of one organization, alone and beside many others. */
interface Places {
  most: number
  mostOfOrganization: number
  fewestOfOrganization: number
}

/** What is slow, be it that it does not answer at all, has places of its own, so that the others go on beside it. */
const places: Record<Kind, Places> = {
  quick: { most: 20, mostOfOrganization: 6, fewestOfOrganization: 2 },
  slow: { most: 12, mostOfOrganization: 3, fewestOfOrganization: 1 },
}
type Kind = 'quick' | 'slow'

/** Webhooks take turns, and so do organizations, however many webhooks one has. One webhook has one turn at a time. */
export class WebhookTurns {
  /** by kind and organization, those that wait; the organization whose turn is next comes first */
  readonly #queues: Record<Kind, Map<string, Set<string>>> = { quick: new Map(), slow: new Map() }
  /** by webhook, as what it has its turn, and whether it is to have another one */
  readonly #inFlight = new Map<string, { kind: Kind; again: boolean }>()
  /** by kind and organization, how many have turns */
  readonly #counts: Record<Kind, Map<string, number>> = { quick: new Map(), slow: new Map() }

  /** Lets a webhook wait, unless it waits already. One that has its turn gets another one, as there may be something new. */
  add({ orgId, id }: WaitingWebhook, slow: boolean): void {
    const inFlight = this.#inFlight.get(id)
    if (inFlight) {
      inFlight.again = true
      return
    }
    const kind = slow ? 'slow' : 'quick'
    this.#queues[kind === 'slow' ? 'quick' : 'slow'].get(orgId)?.delete(id)
    const queue = this.#queues[kind].get(orgId) ?? new Set()
    this.#queues[kind].set(orgId, queue.add(id))
  }

  /** Gives the next turn, if a place is free. */
  next(): WaitingWebhook | undefined {
    for (const kind of ['quick', 'slow'] as const) {
      const counts = this.#counts[kind]
      const { most } = places[kind]
      if (sum(counts) >= most) continue
      const share = this.#share(kind)
      for (const [orgId, queue] of this.#queues[kind]) {
        if ((counts.get(orgId) ?? 0) >= share) continue
        this.#queues[kind].delete(orgId)
        for (const id of queue) {
          queue.delete(id)
          // its organization goes to the end
          if (queue.size > 0) this.#queues[kind].set(orgId, queue)
          counts.set(orgId, (counts.get(orgId) ?? 0) + 1)
          this.#inFlight.set(id, { kind, again: false })
          return { orgId, id }
        }
      }
    }
    return undefined
  }

  /** Ends a turn. @param more whether it is to have another one, as slow or as quick */
  end({ orgId, id }: WaitingWebhook, { more, slow }: { more: boolean; slow: boolean }): void {
    const ended = this.#inFlight.get(id)
    if (!ended) return
    this.#inFlight.delete(id)
    const counts = this.#counts[ended.kind]
    const left = (counts.get(orgId) ?? 1) - 1
    if (left > 0) counts.set(orgId, left)
    else counts.delete(orgId)
    if (more || ended.again) this.add({ orgId, id }, slow)
  }

  /** Whether a webhook waits for its turn already. */
  isWaiting({ orgId, id }: WaitingWebhook): boolean {
    return this.#queues.quick.get(orgId)?.has(id) || this.#queues.slow.get(orgId)?.has(id) || false
  }

  isUnderWay({ id }: WaitingWebhook): boolean {
    return this.#inFlight.has(id)
  }

  /** How many an organization may have: the more organizations there are, the fewer. */
  #share(kind: Kind): number {
    const { most, mostOfOrganization, fewestOfOrganization } = places[kind]
    const organizations = new Set([...this.#queues[kind].keys(), ...this.#counts[kind].keys()]).size
    // one part stays for who comes next
    return Math.max(fewestOfOrganization, Math.min(mostOfOrganization, Math.floor(most / (organizations + 1))))
  }

  get inFlight(): number {
    return this.#inFlight.size
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0)
