import { chmod, mkdtemp, readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An empty directory that every account can enter, for what a run makes and removes: in memory where there is room, as
 * thousands of small files on a disk take more of the processors than PostgreSQL does.
 */
export async function scratchFolder(): Promise<string> {
  const place = (await hasRoom(memory)) ? memory : tmpdir()
  const folder = await mkdtemp(join(place, 'taskwright-test-'))
  await chmod(folder, 0o755)
  return folder
}

const memory = '/dev/shm'
const roomBytes = 4 * 1024 ** 3

/** Whether what is there lies in memory, of which there is enough, and can be run. */
async function hasRoom(place: string): Promise<boolean> {
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
    const [, , kind, options = ''] = mounts.findLast(([, mounted]) => mounted === place) ?? []
    const { bavail, bsize } = await statfs(place)
    const enough = Math.min(bavail * bsize, process.availableMemory() / 2) >= roomBytes
    return kind === 'tmpfs' && enough && !options.split(',').includes('noexec')
  } catch {
    // a system without it
    return false
  }
}
