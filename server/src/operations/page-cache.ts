import { fairShareOf } from '../access/keys-by-organization.ts'
import type { AsOf } from '../db/as-of.ts'
import type { Answer } from './answer.ts'
import type { CacheKey } from './cache-key.ts'

/** What is counted of it. */
interface PageCacheCounts {
  /** a page was sent from the cache */
  sent(): void
  /** @param bytes asked whenever the metrics are read */
  watch(bytes: () => number): void
}

// a longer page would take the place of many others
const longestPart = 1 / 16
// a key that was asked for once, with its place in the map
const bytesOfNote = 150

/** The pages of an organization, all as of one write. */
interface Organization {
  asOf: string
  /** by key, the one that was asked for longest ago first; without a page it was asked for once */
  pages: Map<string, CachedPage | undefined>
  bytes: number
}

/** A page as it is sent: as it is, and compressed once somebody asked for that. */
class CachedPage {
  readonly answer: Answer
  bytes: number
  #gzipped: Buffer | undefined

  /** @param grown called when it takes more bytes */
  constructor({ status, headers, body }: Answer, grown: (bytes: number) => void) {
    const identity = typeof body === 'string' ? Buffer.from(body) : body
    this.bytes = bytesOfNote + (identity?.length ?? 0)
    const gzipped = {
      get: () => this.#gzipped,
      set: (bytes: Buffer) => {
        if (this.#gzipped !== undefined) return
        this.#gzipped = bytes
        grown(bytes.length)
      },
    }
    this.answer = { status, headers, body: identity, gzipped }
  }
}

/**
 * Keeps the pages that are asked for at least twice while nothing is written, as the bytes that are sent. All of an
 * organization are dropped once it is written to. Memory is bounded: who has most gives way, first what was not asked for
 * lately.
 */
export class PageCache {
  readonly #most: number
  readonly #counts: PageCacheCounts
  readonly #organizations = new Map<string, Organization>()
  #bytes = 0

  /** @param most how many bytes; 0: none are kept */
  constructor(most: number, counts: PageCacheCounts) {
    this.#most = most
    this.#counts = counts
    counts.watch(() => this.#bytes)
  }

  /** Whether there is a page, be it outdated. */
  has({ orgId, key }: CacheKey): boolean {
    return this.#organizations.get(orgId)?.pages.get(key) !== undefined
  }

  /** The answer as of this write. */
  find({ orgId, key }: CacheKey, asOf: AsOf): Answer | undefined {
    const organization = this.#organizations.get(orgId)
    if (organization?.asOf !== asOf) return undefined
    const page = organization?.pages.get(key)
    if (organization === undefined || page === undefined) return undefined
    organization.pages.delete(key)
    organization.pages.set(key, page)
    this.#counts.sent()
    return page.answer
  }

  /** Takes note of an answer that was read: the second one as of the same write is kept. */
  note({ orgId, key }: CacheKey, asOf: AsOf | undefined, answer: Answer): void {
    if (asOf == null || this.#most === 0 || answer.status !== 200) return
    const organization = this.#asOf(orgId, asOf)
    const { pages } = organization
    if (pages.get(key) !== undefined) return
    if (!pages.has(key)) {
      pages.set(key, undefined)
      this.#grow(organization, bytesOfNote)
      return
    }
    if ((answer.body?.length ?? 0) > this.#most * longestPart) return
    const page: CachedPage = new CachedPage(answer, (bytes) => {
      // it may have been dropped in the meantime
      if (pages.get(key) !== page) return
      page.bytes += bytes
      this.#grow(organization, bytes)
    })
    pages.set(key, page)
    this.#grow(organization, page.bytes - bytesOfNote)
  }

  /** Drops the pages of an organization, or of all. */
  invalidate(orgId: string | undefined): void {
    for (const one of orgId === undefined ? [...this.#organizations.keys()] : [orgId]) {
      const known = this.#organizations.get(one)
      this.#bytes -= known?.bytes ?? 0
      // one that is being compressed is counted no more
      known?.pages.clear()
      this.#organizations.delete(one)
    }
  }

  #asOf(orgId: string, asOf: string): Organization {
    const known = this.#organizations.get(orgId)
    if (known?.asOf === asOf) return known
    this.invalidate(orgId)
    const organization = { asOf, pages: new Map(), bytes: 0 }
    this.#organizations.set(orgId, organization)
    return organization
  }

  #grow(organization: Organization, bytes: number): void {
    organization.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes > this.#most) this.#makeRoom()
  }

  /** Makes room for a tenth, as it has to look at all organizations. */
  #makeRoom(): void {
    const left = 0.9 * this.#most
    const bySize = [...this.#organizations].toSorted(([, a], [, b]) => b.bytes - a.bytes)
    const share = fairShareOf(
      bySize.map(([, { bytes }]) => bytes),
      left,
    )
    for (const [orgId, organization] of bySize) {
      for (const [key, page] of organization.pages) {
        if (this.#bytes <= left) return
        if (organization.bytes <= share) break
        organization.pages.delete(key)
        const bytes = page?.bytes ?? bytesOfNote
        organization.bytes -= bytes
        this.#bytes -= bytes
      }
      if (organization.pages.size === 0) this.#organizations.delete(orgId)
    }
  }
}
