import { type DueWebhook, dueWebhooks } from './due.ts'
import { mostNoted, type Noted, noteEvents } from './log.ts'
import type { Memory } from './memory.ts'
import { comeBackTo, skipTo } from './record.ts'
import type { Ahead, TurnServices } from './turn.ts'
import { wants } from './wanted.ts'
import type { WebhookTurns } from './webhook-turns.ts'

/** What looks work with. */
interface LookServices extends Pick<TurnServices, 'db' | 'pace' | 'missed'> {
  memory: Memory
  turns: WebhookTurns
  /** begins turns that are free */
  begin(): void
  /** after this time it is noted how far a webhook is that wants nothing of what happens */
  skipsNotedAfterMs: number
}

/** What a look has found for a webhook: the events after its position, and the first of them that it wants. */
interface Found {
  ahead: Ahead
  first: Noted
}

/** Finds the webhooks that have something to do, and lets them wait for their turns. */
export class Looks {
  readonly #services: LookServices
  /** by webhook that waits for its turn */
  readonly #found = new Map<string, Found>()

  constructor(services: LookServices) {
    this.#services = services
  }

  /** What was found for a webhook whose turn begins. It is told once. */
  takeFound(id: string): Partial<Found> {
    const found = this.#found.get(id) ?? {}
    this.#found.delete(id)
    return found
  }

  /** Looks at the webhooks of these organizations; absent: of all. */
  async look(orgIds?: readonly string[]): Promise<void> {
    const { db, pace, begin } = this.#services
    const due = await pace(() => dueWebhooks(db, new Date(), orgIds), orgIds ? 'due' : 'all due')
    const behind = new Map<string, DueWebhook[]>()
    for (const webhook of due) {
      if (!orgIds) await this.#noteSkip(webhook)
      if (!(await this.#hasLittleAhead(webhook))) continue
      behind.set(webhook.orgId, [...(behind.get(webhook.orgId) ?? []), webhook])
    }
    for (const [orgId, webhooks] of behind) {
      await this.#lookAhead(orgId, webhooks)
      begin()
    }
  }

  /** Once in a while it is written how far a webhook is: it shows, and others need not look at it all again. */
  async #noteSkip(webhook: DueWebhook): Promise<void> {
    const { db, pace, memory, skipsNotedAfterMs } = this.#services
    const to = memory.fromOf(webhook)
    if (to === webhook.position || memory.skippedForMs(webhook.id) < skipsNotedAfterMs) return
    memory.forgetSkipped(webhook.id)
    if (await pace(() => skipTo(db, webhook, to))) webhook.position = to
  }

  /** Whether it is to be seen first whether there is anything for a webhook. One that has something to do anyway waits for its turn. */
  async #hasLittleAhead(webhook: DueWebhook): Promise<boolean> {
    const { db, pace, memory, turns } = this.#services
    if (webhook.position > webhook.latest) {
      await pace(() => comeBackTo(db, webhook))
      return false
    }
    if (turns.isWaiting(webhook) || memory.isResting(webhook.id)) return false
    const ahead = webhook.latest - memory.fromOf(webhook)
    // in its turn it looks ahead by itself, and has another one if it has ended when this is heard
    if (!turns.isUnderWay(webhook) && !webhook.repeats && ahead <= mostNoted) return ahead > 0
    this.#add(webhook)
    return false
  }

  /** Reads the log of an organization for its webhooks. */
  async #lookAhead(orgId: string, webhooks: readonly DueWebhook[]): Promise<void> {
    const { db, pace, memory, missed } = this.#services
    const from = Math.min(...webhooks.map((one) => memory.fromOf(one)))
    const noted = await pace(() => noteEvents(db, orgId, from), 'events')
    for (const webhook of webhooks) {
      if (noted.length > 0) this.#seeWhatItWants(webhook, noted)
      else {
        missed(webhook, memory.fromOf(webhook))
        await pace(() => skipTo(db, webhook, webhook.latest))
      }
    }
  }

  #seeWhatItWants(webhook: DueWebhook, noted: readonly Noted[]): void {
    const { memory } = this.#services
    const { id, version, position } = webhook
    const start = memory.fromOf(webhook)
    const to = noted.at(-1)?.sequence ?? start
    const first = noted.find((event) => event.sequence > start && wants(webhook, event))
    // what is no longer kept is told in its turn
    const complete = noted.some(({ sequence }) => sequence === start + 1)
    if (first && complete) {
      memory.noteBehind(id, first.createdAt)
      // of more it is read again in their turns: each holds what was noted of its organization
      if (this.#found.size < mostFound)
        this.#found.set(id, { ahead: { version, position, to, noted, complete: to >= webhook.latest }, first })
    }
    if (!first && complete) memory.skip(id, { version, position, to })
    // its turn also writes how far it is
    if (first || !complete || to - position >= worthATurn) this.#add(webhook)
  }

  #add(webhook: DueWebhook): void {
    const { memory, turns } = this.#services
    turns.add(webhook, webhook.failing || memory.isSlow(webhook.id))
  }
}

const mostFound = 500
/** so many events that a webhook does not want are noted for good */
const worthATurn = 1_000
