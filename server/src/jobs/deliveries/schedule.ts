import type { DueWebhook } from './due.ts'

/** The most webhooks that have a turn at the same time. Those with a failed last attempt share half of the places. */
const most = 200
const mostOfOrganization = 20

/** Shares the places: organizations take turns, however many webhooks one has. A webhook has one turn at a time. */
export class DeliverySchedule {
  /** by organization, the next one first */
  readonly #waiting = new Map<string, Map<string, DueWebhook>>()
  readonly #running = new Map<string, DueWebhook>()

  /** Queues a webhook for its next turn, even during a turn. */
  add(webhook: DueWebhook): void {
    const ofOrganization = this.#waiting.get(webhook.orgId) ?? new Map<string, DueWebhook>()
    this.#waiting.set(webhook.orgId, ofOrganization.set(webhook.id, webhook))
  }

  /** Begins the next turn, if there is a place for it. */
  begin(): DueWebhook | undefined {
    if (this.#running.size >= most) return undefined
    for (const [orgId, webhooks] of this.#waiting) {
      const webhook = [...webhooks.values()].find((one) => this.#hasPlace(one))
      if (webhook === undefined) continue
      webhooks.delete(webhook.id)
      // move its organization to the end
      this.#waiting.delete(orgId)
      if (webhooks.size > 0) this.#waiting.set(orgId, webhooks)
      this.#running.set(webhook.id, webhook)
      return webhook
    }
    return undefined
  }

  end({ id }: DueWebhook): void {
    this.#running.delete(id)
  }

  get running(): number {
    return this.#running.size
  }

  #hasPlace({ orgId, id, failing }: DueWebhook): boolean {
    if (this.#running.has(id)) return false
    const alike = [...this.#running.values()].filter((one) => one.failing || !failing)
    const share = failing ? 2 : 1
    return alike.length < most / share && alike.filter((one) => one.orgId === orgId).length < mostOfOrganization / share
  }
}
