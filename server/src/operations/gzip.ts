import Negotiator from 'negotiator'
import type { Headers } from '../contract/headers.ts'

/** Whether a client accepts gzip and does not prefer an uncompressed body. @see RFC 9110 §12.5.3 */
export function acceptsGzip(headers: Headers): boolean {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || accepted.length > longestAccepted) return false
  const client: NegotiatorOptions = new Negotiator({ headers })
  return client.encoding(['gzip', 'identity'], { preferred: ['gzip'] }) === 'gzip'
}

/** The ETag of the compressed body: other bytes, so another tag. @see RFC 9110 §8.8.3.3 */
export const gzipTag = (etag: string) => `${etag.slice(0, -1)}-gzip"`

/** Undoes `gzipTag`; returns any other tag unchanged. */
export const plainTag = (tag: string) => tag.replace(/-gzip"$/, '"')

// several times longer than any client sends: the time of the negotiation grows with the number of parts
const longestAccepted = 500

/** The types of Negotiator lack this option. */
interface NegotiatorOptions {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}
