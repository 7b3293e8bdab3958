import type pg from 'pg'
import { type CopyTransaction, inCopyTransactionOn } from '../copy/copy-transaction.ts'
import { setIndexesAside } from '../copy/indexes.ts'
import { checkReferences, postponeReferences } from '../copy/references.ts'
import { setReferencesAside } from '../copy/references-aside.ts'
import { nilId } from '../ids.ts'
import { restoreMark } from '../migrations/half-restored.ts'
import { ArchiveProblem } from './problem.ts'
import { type Archive, type ArchiveReading, type OnProgress, tablesIn } from './reading.ts'
import type { TablePart } from './table-text.ts'
import { type ArchivedTable, isOfOrganizations } from './tables.ts'

export interface Loading {
  /** only the rows of this organization; undefined: all */
  orgId: string | undefined
  /** of the key by which servers here seal secrets, if it is known */
  keyFingerprint?: string | undefined
  /** leaves every row as it is in the archive */
  unchanged?: boolean
  say(sentence: string): void
  told: OnProgress
}

/** Loads an archive into empty tables, in one transaction. After its commit the database can be used. */
export const loadIntoEmpty = (connection: pg.ClientConfig, archive: Archive, loading: Loading): Promise<number> =>
  inCopyTransactionOn(connection, async (tx) => {
    const { contents } = archive
    const names = tablesToLoad(archive, loading).map(({ name }) => name)
    if (names.includes('instance')) await tx.query('delete from instance')
    const addReferences = await setReferencesAside(tx, names)
    const buildIndexes = await setIndexesAside(tx, names)
    const rows = await copyAll(tx, archive, loading)
    if (loading.orgId !== undefined && !loading.unchanged && hasPersons(archive))
      await unlinkUnknownPersons(tx, loading.orgId)
    loading.say('Building the indexes …')
    await buildIndexes()
    await tx.query(`analyze ${names.join(', ')}`)
    loading.say('Checking references …')
    await addReferences()
    if (!names.includes('instance')) await takeKey(tx, archive)
    for (const { name, appliedAt } of contents.migrations)
      await tx.query('update migrations set applied_at = $2 where name = $1', [name, appliedAt])
    await tx.query('delete from migrations where name = $1', [restoreMark])
    return rows
  })

/** Loads one organization beside others, in one transaction, while servers go on. */
export const loadBeside = (connection: pg.ClientConfig, archive: Archive, loading: Loading, orgId: string) =>
  inCopyTransactionOn(connection, async (tx) => {
    const names = tablesToLoad(archive, loading).map(({ name }) => name)
    await takeKey(tx, archive, loading.keyFingerprint)
    const postponed = await postponeReferences(tx)
    const rows = await copyAll(tx, archive, loading)
    await unlinkUnknownPersons(tx, orgId)
    if (postponed) await checkReferences(tx, orgId, names)
    return rows
  })

/** Whether the archive is of a version in which people sign in. */
const hasPersons = ({ contents }: Archive) =>
  contents.tables.some(({ name, columns }) => name === 'members' && columns.includes('person_id'))

/** The archive of an organization has no persons. A member whose person is not here has none, and can be invited again. */
async function unlinkUnknownPersons(tx: CopyTransaction, orgId: string): Promise<void> {
  // on Citus, persons and members are on different nodes: no statement reads both
  const named = await tx.query<{ id: string }>(
    'select person_id as id from members where org_id = $1 and person_id is not null',
    [orgId],
  )
  const known = await tx.query<{ id: string }>('select id from persons where id = any($1::uuid[])', [
    named.map(({ id }) => id),
  ])
  await tx.query(
    `update members set person_id = null, email_verified = false, version = version + 1
     where org_id = $1 and person_id is not null and person_id <> all($2::uuid[])`,
    [orgId, known.map(({ id }) => id)],
  )
}

const tablesToLoad = ({ contents }: Archive, { orgId }: Loading): ArchivedTable[] =>
  contents.tables.filter((table) => orgId === undefined || isOfOrganizations(table))

async function copyAll(tx: CopyTransaction, archive: Archive, { orgId, told }: Loading): Promise<number> {
  const loaded = tablesToLoad(archive, { orgId, told, say: () => {} })
  let rows = 0
  const tell = (read: ArchiveReading) => told({ share: read.bytes / archive.bytes, ...read })
  for await (const { table, parts } of tablesIn(archive, tell)) {
    if (!loaded.includes(table)) for await (const _ of parts);
    else rows += await tx.copy(table.name, table.columns, texts(parts, table, orgId))
  }
  if ((await tx.query('select from organizations where org_id = $1', [nilId])).length > 0)
    throw ofOperator(archive.file)
  if (orgId !== undefined && rows === 0) throw new ArchiveProblem(`There is no organization ${orgId} in the archive.`)
  return rows
}

/** The operator's requests have this organization's id, so no organization may have it. */
export const ofOperator = (file: string) =>
  new ArchiveProblem(`${file} has an organization ${nilId}, the operator's own. Nothing was restored.`)

async function* texts(parts: AsyncIterable<TablePart>, { columns }: ArchivedTable, orgId: string | undefined) {
  const column = columns.indexOf('org_id')
  for await (const { text } of parts) {
    if (orgId === undefined) yield text
    else if (isAsWritten(text)) yield linesOf(text, column, orgId)
    else throw new ArchiveProblem('The archive has rows that no backup contains. Nothing was restored.')
  }
}

/**
 * Whether each tab ends a value and each line feed ends a row. COPY always writes so, but it also reads other forms. In these,
 * rows of another organization could pass as rows of this one.
 */
function isAsWritten(text: Buffer): boolean {
  if (text.includes('\r') || text.at(-1) !== lineFeed) return false
  const mayBeEscaped = text.includes('\\\t') || text.includes('\\\n')
  return !mayBeEscaped || !/(?<!\\)(?:\\\\)*\\[\t\n]/.test(text.toString('latin1'))
}

const lineFeed = 10

/** The lines with this value in this column, counted from 0. It keeps adjacent lines as one piece, as there may be millions. */
function linesOf(text: Buffer, column: number, value: string): Buffer {
  const kept: Buffer[] = []
  const wanted = Buffer.from(value)
  let from = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(lineFeed, start) + 1 || text.length
    let at = start
    for (let passed = 0; passed < column; passed++) at = text.indexOf('\t', at) + 1
    if (!text.subarray(at, at + wanted.length).equals(wanted)) {
      if (from < start) kept.push(text.subarray(from, start))
      from = end
    }
    start = end
  }
  kept.push(text.subarray(from))
  return Buffer.concat(kept)
}

/**
 * Checks that the key of the loaded webhook secrets is the key of those in the database. If the database has none yet, the key
 * must be that of the servers, if it is known. With another key they would refuse to start again.
 */
async function takeKey(tx: CopyTransaction, { contents, checksums }: Archive, known?: string): Promise<void> {
  const { secretKeyFingerprint: theirs } = contents
  if (theirs === null || !checksums.tables.webhooks?.rows) return
  const [row] = await tx.query<{ own: string | null }>(
    "select encode(secret_key_fingerprint, 'hex') as own from instance for update",
  )
  if (row?.own === null && (known ?? theirs) === theirs)
    await tx.query("update instance set secret_key_fingerprint = decode($1, 'hex')", [theirs])
  else if (row?.own !== theirs)
    throw new ArchiveProblem(
      'The secrets of webhooks in this archive are encrypted with another SECRET_KEY than those of this database. Nothing was restored.',
    )
}
