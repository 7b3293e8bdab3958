/**
 * Keys by organization, so many of all together at most. What is beyond that is forgotten of those organizations that have
 * most, so that one with very many leaves the others theirs.
 */
export class KeysByOrganization {
  readonly #most: number
  /** the key, and the organization, that came longest ago go first */
  readonly #keys = new Map<string, Set<string>>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** Adds a key, as the one of its organization that came last. @returns those that had to be forgotten */
  add(orgId: string, key: string): string[] {
    this.delete(orgId, key)
    const own = this.of(orgId)
    own.add(key)
    // the organization that came last is the last one too
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

  /** A tenth at once: to find out who has most takes a look at every organization. */
  #evict(): string[] {
    const left = Math.floor(0.9 * this.#most)
    const fairShare = fairShareOf(
      [...this.#keys.values()].map(({ size }) => size),
      left,
    )
    const evicted: string[] = []
    for (const [orgId, own] of this.#keys) {
      // where there are more organizations than keys to be left, those go whole that came longest ago
      const kept = fairShare > 0 ? fairShare : Number(this.#keys.size <= left)
      for (const key of [...own].slice(0, Math.max(0, own.size - kept))) {
        evicted.push(key)
        this.delete(orgId, key)
      }
    }
    return evicted
  }
}

/** How many each may have at most so that all together have no more than `left`: who has less leaves the rest to the others. */
function fairShareOf(sizes: readonly number[], left: number): number {
  let [rest, others] = [left, sizes.length]
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size * others > rest) return Math.floor(rest / others)
    rest -= size
    others--
  }
  return left
}
