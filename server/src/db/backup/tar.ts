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

/** An entry as it stands in a tar. */
export async function packed({ name, body }: Entry, mtime: Date): Promise<Uint8Array> {
  const tar = await packTar([{ header: { name, size: body.length, mtime, mode: 0o600 }, body }])
  return tar.subarray(0, -endBytes)
}

const endBytes = 1_024

/** What stands behind the last entry of a tar. */
export const packedEnd = (): Uint8Array => new Uint8Array(endBytes)

/**
 * The entries of a tar, one after the other, each small enough for the memory.
 * @throws ArchiveProblem when it is no tar, or cut short
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

// rows of 4 MB, compressed, make a part, and a large one more; the digests of 500,000 parts fit too
const mostEntryBytes = 67_108_864

/** @param why in a few words */
export const notWhole = (file: string, why: string) =>
  new ArchiveProblem(
    `${file} is not a whole archive of Taskwright (${why}): nothing was restored. Take another copy of it.`,
  )
