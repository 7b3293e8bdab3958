import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'

// characters of a text, or bytes; the event loop takes about as long for them as for all that makes a page of usual tasks
const piece = 65_536

/** Whether others would wait while this body is written in one go. */
export const isLong = (body: string | Buffer): boolean => body.length > 2 * piece

/** A long body as it is sent: a piece in each turn of the event loop, which others have in between. */
export async function inPieces(body: string | Buffer): Promise<{ bytes: number; stream: Readable }> {
  // all of them first, as their length stands before the first one
  const pieces: Buffer[] = []
  for (let start = 0; start < body.length; ) {
    const end = endOfPiece(body, start + piece)
    pieces.push(typeof body === 'string' ? Buffer.from(body.slice(start, end)) : body.subarray(start, end))
    start = end
    // a part of a buffer is no copy of it
    if (typeof body === 'string') await turn()
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return { bytes, stream: Readable.from(oneATurn(pieces), { objectMode: false }) }
}

/** Ends between characters: some are two units of a text. */
function endOfPiece(body: string | Buffer, end: number): number {
  const unit = typeof body === 'string' ? body.charCodeAt(end - 1) : 0
  return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end
}

async function* oneATurn(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const bytes of pieces) {
    yield bytes
    await turn()
  }
}
