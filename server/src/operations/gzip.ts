import Negotiator from 'negotiator'
import type { Headers } from '../contract/headers.ts'

/** Whether a client takes gzip at least as gladly as the body as it is. @see RFC 9110 §12.5.3 */
export function acceptsGzip(headers: Headers): boolean {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || accepted.length > longestAccepted) return false
  const client: Preferring = new Negotiator({ headers })
  return client.encoding(['gzip', 'identity'], { preferred: ['gzip'] }) === 'gzip'
}

/** The ETag of the compressed body: other bytes, so another tag. @see RFC 9110 §8.8.3.3 */
export const gzipTag = (etag: string) => `${etag.slice(0, -1)}-gzip"`

/** The tag that `gzipTag` made this one of; any other tag as it is. */
export const plainTag = (tag: string) => tag.replace(/-gzip"$/, '"')

// several times what any client sends: what is negotiated takes time with the number of its parts
const longestAccepted = 500

/** Its types do not know what else it takes. */
interface Preferring {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}
