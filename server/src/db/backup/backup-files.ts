import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { contentsName } from './contents.ts'

/** An archive in the directory of automatic backups. */
export interface BackupFile {
  path: string
  begunMs: number
  sizeBytes: number
}

/** taskwright-0123456789ab-20261123T020000Z.tar: the instance, and the time at which the backup began. */
export const backupName = (instance: string, begun: Date) =>
  `taskwright-${instance}-${begun.toISOString().replace(/[-:]|\.\d+/g, '')}.tar`

// older builds left the instance out
const named = /^taskwright-(?:([0-9a-f]{12})-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(\.\d+\.partial)?$/

interface BackupDirectory {
  /** archives of this instance, the oldest first; those from the future, named by a wrong clock, come before them */
  own: string[]
  /** unfinished archives of this instance, left by killed backups */
  leftovers: string[]
  /** archives of other instances, and those with older names, which do not name one */
  foreign: string[]
}

/** Lists the archives in a directory by their names, as paths. */
export async function backupsIn(directory: string, instance: string, now: Date): Promise<BackupDirectory> {
  const found: BackupDirectory = { own: [], leftovers: [], foreign: [] }
  for (const name of (await readdir(directory).catch(() => [])).sort()) {
    const [matches, of, , , , , , , partial] = named.exec(name) ?? []
    if (matches === undefined) continue
    const kind = of !== instance ? 'foreign' : partial === undefined ? 'own' : 'leftovers'
    found[kind].push(join(directory, name))
  }
  const isAhead = (path: string) => begunMsOf(path) > now.getTime()
  return { ...found, own: [...found.own.filter(isAhead), ...found.own.filter((path) => !isAhead(path))] }
}

/**
 * Finds the newest complete archives.
 * @param own as `backupsIn` lists them
 * @param most number of archives to find
 * @returns also the broken files that it skipped, and the files that are older than all of these
 */
export async function newestWhole(own: readonly string[], most: number) {
  const found = { whole: [] as BackupFile[], broken: [] as string[], older: [] as string[] }
  for (const path of own.toReversed()) {
    if (found.whole.length === most) found.older.push(path)
    else if (!(await looksWhole(path))) found.broken.push(path)
    else found.whole.push({ path, begunMs: begunMsOf(path), sizeBytes: (await stat(path)).size })
  }
  return found
}

/** Whether a file begins and ends as an archive does. This is quick; `checkedArchive` reads every byte. */
async function looksWhole(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    const { size } = await file.stat()
    const name = Buffer.alloc(contentsName.length)
    const end = Buffer.alloc(tarEndBytes, 1)
    await file.read(name, 0, name.length, 0)
    await file.read(end, 0, end.length, Math.max(0, size - tarEndBytes))
    return name.toString() === contentsName && end.every((byte) => byte === 0)
  } finally {
    await file.close()
  }
}

// zeros, which no entry of an archive ends with
const tarEndBytes = 1_024

const begunMsOf = (path: string) =>
  Date.parse(path.replace(/^.*(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/s, '$1-$2-$3T$4:$5:$6Z'))
