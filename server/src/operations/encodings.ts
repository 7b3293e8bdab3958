import Negotiator from 'negotiator'
import type { Headers } from '../contract/headers.ts'

/** How bodies can be compressed, first what takes least time for what it saves. @see RFC 9110 §8.4.1, RFC 7932, RFC 8878 */
export const encodings = ['zstd', 'br', 'gzip'] as const

export type Encoding = (typeof encodings)[number]

/**
 * What a client would have bodies compressed by; undefined: not at all.
 * @param among those that can be had
 * @see RFC 9110 §12.5.3
 */
export function preferredEncoding(headers: Headers, among: readonly Encoding[]): Encoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || accepted.length > longestAccepted) return undefined
  const client: Preferring = new Negotiator({ headers })
  const preferred = client.encoding([...among, 'identity'], { preferred: among })
  return among.find((encoding) => encoding === preferred)
}

/** The ETag of what another one stands for, compressed: other bytes, so another tag. @see RFC 9110 §8.8.3.3 */
export const compressedTag = (etag: string, encoding: Encoding) => `${etag.slice(0, -1)}-${encoding}"`

/** The tag that this one was made of; of one that no encoding was added to, the same. */
export const uncompressedTag = (tag: string) => tag.replace(compressed, '"')

// bounded: it repeats nothing
const compressed = new RegExp(`-(?:${encodings.join('|')})"$`)

// several times what any client sends: what is negotiated takes time with the number of its parts
const longestAccepted = 500

/** Its types do not know what else it takes. */
interface Preferring {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}
