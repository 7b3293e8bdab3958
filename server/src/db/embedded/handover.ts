import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupProblem } from '../pool/startup-problem.ts'
import type { Account } from './account.ts'

/**
 * Hands a directory and what is in it over from one user to another. Root does this where the former owner may still
 * write, so every step goes by what is open, never again by a path: no link is followed, and no other name of a file.
 */
export async function handOver(directory: string, from: number, to: Account): Promise<void> {
  const folder = await open(directory, opening | constants.O_DIRECTORY)
  try {
    await handOverOpen(folder, directory, from, to)
  } finally {
    await folder.close()
  }
}

const opening = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function handOverOpen(entry: FileHandle, path: string, from: number, to: Account): Promise<void> {
  const found = await entry.stat()
  if (found.isDirectory()) {
    const inside = process.platform === 'linux' ? `/proc/self/fd/${entry.fd}` : path
    for (const name of await readdir(inside)) {
      // links and sockets cannot be opened so, and nobody asks whose they are
      const below = await open(join(inside, name), opening).catch(() => undefined)
      if (below) await handOverOpen(below, join(path, name), from, to).finally(() => below.close())
    }
  } else if (found.uid === from && found.nlink > 1) {
    throw new StartupProblem(
      `${path} has a second name elsewhere (a hard link), so it cannot be handed to user id ${to.uid}: put a copy in its place.`,
    )
  }
  // a directory last, since its owner tells whether the rest is done
  if (found.uid === from) await entry.chown(to.uid, to.gid)
}
