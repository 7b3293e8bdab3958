import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ApiError, badRequest, forbidden } from '../contract/errors.ts'
import { type Headers, mostHeaders } from '../contract/headers.ts'

/**
 * What is wrong with the headers of a request, whatever it asks for; undefined when nothing is. Of a header that was sent
 * twice Node would silently take the first one.
 * @see RFC 9112 §3.2
 */
export function headerProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length > 2 * mostHeaders) return tooMany
  const times = { host: 0, authorization: 0, 'content-type': 0 }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!lengths.has(name.length)) continue
    const known = name.toLowerCase() as keyof typeof times
    if (known in times && ++times[known] > 1) return sentTwice
  }
  const { host } = headers
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  return hostForm.test(host) ? undefined : hostMalformed
}

/**
 * Refuses a request whose Host is a foreign name: a web page can reach this server by a name of its own that resolves to
 * this address (DNS rebinding).
 * @param own the host name of this server
 * @throws 403
 */
export function refuseForeignHost(host: Headers['host'], own: string | undefined): void {
  if (host === undefined) return
  const name = String(host)
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (isIP(name) > 0 || name === 'localhost' || name === own?.toLowerCase()) return
  throw forbidden('Ask by an address or by localhost, or set OPERATOR_TOKEN and send it', 'foreign_host')
}

const lengths = new Set([4, 12, 13])

// RFC 3986 §3.2.2, and a port
const hostForm = /^(\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(:\d*)?$/i

const tooMany = new ApiError(431, `There are more than ${mostHeaders} headers`, 'headers_too_large')
const sentTwice = badRequest('Host, Authorization and Content-Type may be sent once', 'malformed_http')
const hostMissing = badRequest('The Host header is missing', 'malformed_http')
const hostMalformed = badRequest('The Host header names no host', 'malformed_http')
