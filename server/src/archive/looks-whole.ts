import { type FileHandle, open } from 'node:fs/promises'
import { checksumsFrom, checksumsName, contentsName } from './contents.ts'

/**
 * Whether a file has the beginning and the end of an archive, and between them every part in its size. It reads the headers
 * of the tar alone, so it is quick; `checkedArchive` reads every byte.
 */
export async function looksWhole(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    return await hasEveryPart(file)
  } catch {
    return false
  } finally {
    await file.close()
  }
}

async function hasEveryPart(file: FileHandle): Promise<boolean> {
  const sizes: string[] = []
  for (let at = 0; ; ) {
    const { name, bytes } = headerFrom(await readAt(file, at, blockBytes))
    if (at === 0 && name !== contentsName) return false
    if (name === checksumsName) {
      const { entries } = checksumsFrom(await readAt(file, at + blockBytes, Math.min(bytes, mostChecksumsBytes)))
      return sizes.join() === entries.map((entry) => `${entry.name} ${entry.bytes}`).join()
    }
    sizes.push(`${name} ${bytes}`)
    at += blockBytes + Math.ceil(bytes / blockBytes) * blockBytes
  }
}

const blockBytes = 512
const mostChecksumsBytes = 64 * 1_048_576

/** @see POSIX.1-2017, pax, "ustar Interchange Format" */
function headerFrom(block: Buffer): { name: string; bytes: number } {
  const text = (from: number, to: number) => block.toString('latin1', from, to).split('\0')[0] ?? ''
  const bytes = Number.parseInt(text(124, 136), 8)
  if (!(bytes >= 0)) throw new Error('This is no header of a tar')
  return { name: text(0, 100), bytes }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new Error('The file ends too early')
  return buffer
}
