import type { DueWebhook } from './due.ts'

/** How many webhooks are sent to at a time. Those whose last attempt failed have half of the places. */
const most = 200
const mostOfOrganization = 20

/** Webhooks take turns, and so do organizations, however many webhooks one has. A webhook has one turn at a time. */
export class Turns {
  /** by organization; the one whose turn is next comes first */
  readonly #waiting = new Map<string, Map<string, DueWebhook>>()
  readonly #running = new Map<string, DueWebhook>()

  /** Lets a webhook wait for its turn, also while it has one. */
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
      // its organization goes to the end
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
