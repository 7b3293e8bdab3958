import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import { backUp } from '../../../src/db/backup/back-up.ts'
import { bodyOf, checksumsName, contentsName, partName, sha256Of } from '../../../src/db/backup/contents.ts'
import { type Archive, checkedArchive } from '../../../src/db/backup/reading.ts'
import { partOf, tableDigest } from '../../../src/db/backup/table-text.ts'
import { afterwards, type Scope } from '../afterwards.ts'
import { freshDatabase } from './fresh-database.ts'

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

/**
 * The same archive but for what it says of itself, and for rows.
 * @param rows by table, the text of COPY that it has instead
 * @returns the path of its file
 */
export async function repacked(
  t: Scope,
  { file }: Archive,
  change: (contents: Archive['contents']) => object,
  rows: Record<string, string> = {},
): Promise<string> {
  const entries = await unpackTar(await readFile(file))
  const bodies = new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]))
  const json = (name: string) => JSON.parse(bodies.get(name)?.toString() ?? '')
  const contents = Buffer.from(JSON.stringify(change(json(contentsName))))
  const { tables }: Archive['checksums'] = json(checksumsName)
  bodies.set(contentsName, contents)
  bodies.delete(checksumsName)
  for (const [table, text] of Object.entries(rows)) {
    bodies.set(partName(table, 1), gzipSync(text))
    const digest = tableDigest()
    digest.add(partOf(Buffer.from(text)))
    tables[table] = digest.digest()
  }
  const said = [...bodies].map(([name, body]) => ({ name, bytes: body.length, sha256: sha256Of(body) }))
  bodies.set(checksumsName, Buffer.from(bodyOf({ entries: said, tables })))
  const packed = [...bodies].map(([name, body]) => ({ header: { name, size: body.length }, body }))
  const path = join(await emptyDirectory(t), 'repacked.tar')
  await writeFile(path, await packTar(packed))
  return path
}
