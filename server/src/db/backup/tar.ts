import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createTarDecoder, packTar } from 'modern-tar'
import { ArchiveProblem, fileProblem } from './problem.ts'

/** One file in an archive. */
export interface Entry {
  name: string
  body: Buffer
}

/** The bytes of an entry in a tar. */
export async function packed({ name, body }: Entry, mtime: Date): Promise<Uint8Array> {
  const tar = await packTar([{ header: { name, size: body.length, mtime, mode: 0o600 }, body }])
  return tar.subarray(0, -endBytes)
}

const endBytes = 1_024

/** The bytes after the last entry of a tar. */
export const packedEnd = (): Uint8Array => new Uint8Array(endBytes)

/**
 * Yields the entries of a tar one after the other. Each fits into memory.
 * @throws ArchiveProblem if the file is not a tar, or is cut short
 */
export async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const bytes = createReadStream(file, { highWaterMark: 1_048_576 })
  try {
    const tar = Readable.toWeb(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>
    for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
      if (header.size > mostEntryBytes) throw notWhole(file, 'an entry of it is too large')
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      yield { name: header.name, body: Buffer.concat(pieces) }
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (error instanceof ArchiveProblem) throw error
    throw syscall === undefined && code === undefined
      ? notWhole(file, (error as Error).message)
      : fileProblem(file, error)
  } finally {
    bytes.destroy()
  }
}

// a part has 4 MB of rows, compressed, or a bit more; the digests of 500,000 parts fit too
const mostEntryBytes = 67_108_864

/** The problem of an incomplete or damaged archive. @param why in a few words */
export const notWhole = (file: string, why: string) =>
  new ArchiveProblem(
    `${file} is not a complete archive of Taskwright (${why}): nothing was restored. Take another copy of it.`,
  )
