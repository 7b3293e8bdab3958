import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'

/** An answer as it came over the wire. */
export interface Sent {
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Node has it since 22.15; its types here are those of 20. */
const { zstdDecompressSync }: { gzipSync: unknown; zstdDecompressSync?: (bytes: Buffer) => Buffer } = zlib

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  ...(zstdDecompressSync ? { zstd: zstdDecompressSync } : {}),
}

/** The encodings that this Node knows, in the order in which a server prefers them. */
export const encodings = ['zstd', 'br', 'gzip'].filter((name) => name in decoders)

export const decoded = (bytes: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): string =>
  (encoding === undefined || bytes.length === 0 ? bytes : (decoders[encoding]?.(bytes) ?? bytes)).toString()

/** Asks as no library would: with these headers alone, the answer's bytes as they come. */
export async function ask(url: string, headers: Record<string, string | string[]>, method = 'GET', body?: object) {
  const sent = request(url, { method, headers, agent: false })
  sent.end(body && JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  const text = decoded(bytes, answer.headers)
  return { status: answer.statusCode, headers: answer.headers, bytes, text } satisfies Sent
}
