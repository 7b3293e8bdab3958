import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../embedded/pid-file.ts'
import { ArchiveProblem, fileProblem } from './problem.ts'

/** The destination of an archive's bytes. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>
}

/**
 * Writes a file that gets its name only when it is complete and on the disk.
 * @param replacing whether an existing file of this name may be replaced
 * @throws ArchiveProblem
 */
export async function writeWhole<T>(path: string, replacing: boolean, work: (sink: Sink) => Promise<T>): Promise<T> {
  const partial = `${path}.${process.pid}.partial`
  try {
    if (!replacing && (await isThere(path))) throw occupied(path)
    await removeLeftovers(path)
    const file = await open(partial, 'wx', 0o600)
    let made: T
    try {
      made = await work({ write: (bytes) => file.writeFile(bytes) })
      await file.sync()
    } finally {
      await file.close()
    }
    await (replacing ? rename(partial, path) : nameOnce(partial, path))
    const folder = await open(dirname(path))
    await folder.sync().finally(() => folder.close())
    return made
  } catch (error) {
    throw ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? new ArchiveProblem(`There is no directory ${dirname(path)}.`)
      : fileProblem(path, error)
  } finally {
    await rm(partial, { force: true }).catch(() => {})
  }
}

/** Gives the file its name. Unlike `rename`, it does not replace a file that appeared in the meantime. */
async function nameOnce(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw occupied(path)
    // the file system has no hard links
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    await rename(partial, path)
  }
}

/** Removes partial files of killed backups. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder)) {
    const [, of, pid] = /^(.+)\.([0-9]+)\.partial$/.exec(name) ?? []
    // in a container the next process has the same number as the one before
    const ended = Number(pid) === process.pid || !isAlive(Number(pid))
    // in a directory that others can write to, the file may belong to somebody else
    if (of === basename(path) && ended) await rm(join(folder, name), { force: true }).catch(() => {})
  }
}

const occupied = (path: string) => new ArchiveProblem(`${path} exists: name another file, or replace it with --force.`)

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
