import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp } from '../../src/archive/back-up.ts'
import { type Archive, checkedArchive } from '../../src/archive/reading.ts'
import { afterwards, type Scope } from './afterwards.ts'
import { freshDatabase } from './world.ts'

/** An empty directory, which goes when the test ends. */
export async function emptyDirectory(t: Scope): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'taskwright-archive-'))
  afterwards(t, () => rm(directory, { recursive: true, force: true }))
  return directory
}

/** An archive of a database, or of one organization in it. */
export async function archiveOf(t: Scope, url: string, orgId?: string): Promise<Archive> {
  const file = join(await emptyDirectory(t), 'backup.tar')
  await backUp({ connectionString: url }, file, { version: '0.1.0', orgId })
  return checkedArchive(file)
}

/** An empty database, which goes when the test ends. */
export async function emptyDatabase(t: Scope): Promise<string> {
  const { url, drop } = await freshDatabase()
  afterwards(t, drop)
  return url
}
