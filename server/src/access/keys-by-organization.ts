/**
 * A set of keys by organization, bounded in total. Beyond the bound, keys of the organizations with the most are evicted, so
 * one organization with very many keys does not evict those of others.
 */
export class KeysByOrganization {
  readonly #most: number
  /** oldest first, both organizations and keys */
  readonly #keys = new Map<string, Set<string>>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** Adds a key as the newest one of its organization. @returns the keys that were evicted */
  add(orgId: string, key: string): string[] {
    this.delete(orgId, key)
    const own = this.of(orgId)
    own.add(key)
    // the organization becomes the newest too
    this.#keys.delete(orgId)
    this.#keys.set(orgId, own)
    this.#count++
    return this.#count > this.#most ? this.#evict() : []
  }

  delete(orgId: string, key: string): void {
    const own = this.of(orgId)
    if (own.delete(key)) this.#count--
    if (own.size === 0) this.#keys.delete(orgId)
  }

  /** The keys of an organization. */
  of(orgId: string): Set<string> {
    return this.#keys.get(orgId) ?? new Set()
  }

  [Symbol.iterator](): Iterator<[orgId: string, keys: Set<string>]> {
    return this.#keys.entries()
  }

  /** Evicts a tenth at once, as it has to look at every organization. */
  #evict(): string[] {
    const left = Math.floor(0.9 * this.#most)
    const fairShare = fairShareOf(
      [...this.#keys.values()].map(({ size }) => size),
      left,
    )
    const evicted: string[] = []
    for (const [orgId, own] of this.#keys) {
      // with more organizations than keys may stay, the oldest organizations lose all their keys
      const kept = fairShare > 0 ? fairShare : Number(this.#keys.size <= left)
      for (const key of [...own].slice(0, Math.max(0, own.size - kept))) {
        evicted.push(key)
        this.delete(orgId, key)
      }
    }
    return evicted
  }
}

/** How many keys each may have so that all have at most `left` together. What one does not use is shared by the others. */
function fairShareOf(sizes: readonly number[], left: number): number {
  let [rest, others] = [left, sizes.length]
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size * others > rest) return Math.floor(rest / others)
    rest -= size
    others--
  }
  return left
}
