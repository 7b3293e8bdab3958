import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Opens a plain file in a directory where another account may write: undefined for a link, which that account could lead
 * to a file of root's, for a file with a second name, which may be one, and for what is not there or no file.
 */
export async function openNoFollow(path: string, access: 'read' | 'readWrite' = 'read') {
  const mode = access === 'read' ? constants.O_RDONLY : constants.O_RDWR
  // a pipe would keep who opens it waiting
  const file = await open(path, mode | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (!file) return undefined
  const found = await file.stat()
  if (found.isFile() && found.nlink === 1) return file
  await file.close()
  return undefined
}

/** What such a file holds, its first 64 kB; an empty text when there is none. */
export async function readNoFollow(path: string): Promise<string> {
  const file = await openNoFollow(path)
  if (!file) return ''
  return textOf(file).finally(() => file.close())
}

/** What an open file holds, its first 64 kB. */
export async function textOf(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(65_536), position: 0 })
  return buffer.subarray(0, bytesRead).toString()
}
