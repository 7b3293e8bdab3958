import type { Tenant } from './fair-queue.ts'

/**
 * Operations of which writes failed while they waited for a lock, in more than one organization: then it is most likely a table
 * that is locked, which all have in common. Such writes hold no more than `maxTries` connections together, one for each
 * organization, until one of their operation passes. So a locked table leaves connections to writes that do not use it.
 */
export class LockedOperations {
  readonly #maxTries: number
  /** by operation, whose write failed: undefined once one of a second organization did */
  readonly #failed = new Map<string, Tenant | undefined>()
  /** by operation, whose writes are under way */
  readonly #underWay = new Map<string, Tenant[]>()

  constructor(maxTries: number) {
    this.#maxTries = maxTries
  }

  /** Whether a write must wait for those being tried. */
  mustWait(tenant: Tenant, operation: string | undefined): boolean {
    if (operation === undefined || !this.#isLocked(operation)) return false
    return this.#whose(operation).includes(tenant) || this.#tries >= this.#maxTries
  }

  began(tenant: Tenant, operation: string | undefined): void {
    if (operation !== undefined) this.#underWay.set(operation, [...this.#whose(operation), tenant])
  }

  ended(tenant: Tenant, operation: string | undefined): void {
    if (operation === undefined) return
    const whose = this.#whose(operation)
    const left = whose.toSpliced(whose.indexOf(tenant), 1)
    if (left.length > 0) this.#underWay.set(operation, left)
    else this.#underWay.delete(operation)
  }

  /** It got its locks. What fails for another reason may not have asked for them yet. */
  passed(operation: string | undefined): void {
    if (operation !== undefined) this.#failed.delete(operation)
  }

  failed(tenant: Tenant, operation: string | undefined): void {
    if (operation === undefined) return
    const first = this.#failed.has(operation) ? this.#failed.get(operation) : tenant
    this.#failed.set(operation, first === tenant ? tenant : undefined)
  }

  // a row that one organization locks is its own matter: of the connections it has its share
  #isLocked(operation: string): boolean {
    return this.#failed.has(operation) && this.#failed.get(operation) === undefined
  }

  #whose(operation: string): readonly Tenant[] {
    return this.#underWay.get(operation) ?? []
  }

  get #tries(): number {
    let sum = 0
    for (const [operation, { length }] of this.#underWay) if (this.#isLocked(operation)) sum += length
    return sum
  }
}
