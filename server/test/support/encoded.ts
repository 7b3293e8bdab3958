import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

/** An answer as it came over the wire. */
export interface Sent {
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

export const decoded = (bytes: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): string =>
  (encoding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString()

/** Asks as no library would: with these headers alone, the answer's bytes as they come. */
export async function ask(url: string, headers: Record<string, string | string[]>, method = 'GET', body?: object) {
  const sent = request(url, { method, headers, agent: false })
  sent.end(body && JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  const text = decoded(bytes, answer.headers)
  return { status: answer.statusCode, headers: answer.headers, bytes, text } satisfies Sent
}
