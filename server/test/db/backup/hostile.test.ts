import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp } from '../../../src/db/backup/back-up.ts'
import { checkedArchive } from '../../../src/db/backup/reading.ts'
import { restore } from '../../../src/db/backup/restore.ts'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { sql } from '../../../src/db/sql.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { rowsOf } from '../../support/scene.ts'
import { archiveOf, emptyDatabase, emptyDirectory, repacked } from '../../support/slow/archives.ts'
import { migratedDatabase, startServer } from '../../support/world.ts'

const source = await migratedDatabase()
afterwards(file, source.drop)
const server = await startServer({ url: source.url })
const world = await server.newWorld()
const tag = await world.tag()
const own = await archiveOf(file, source.url, world.orgId)

test('a tampered archive of one organization adds no row to another, however its rows are written', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ connectionString: url })
  const target = await startServer({ url })
  const neighbour = await target.newWorld()
  const before = await rowsOf(target.db, neighbour)

  const table = own.contents.tables.find(({ name }) => name === 'tags')
  assert.ok(table)
  const texts = table.columns.map((name) => sql`${sql.named(name)}::text as ${sql.named(name)}`)
  const [stored = {}] = await server.db.rows<Record<string, string | null>>(sql`
    select ${sql.join(texts, ', ')} from tags where org_id = ${world.orgId} and id = ${tag.id}`)
  /** A row as COPY writes it, in this order of columns. */
  const row = (columns: readonly string[], changes: Record<string, string>) =>
    columns.map((name) => changes[name] ?? stored[name] ?? '\\N').join('\t')
  const nameFirst = ['name', 'org_id', ...table.columns.filter((name) => name !== 'name' && name !== 'org_id')]
  const idOf = { id: randomUUID(), org_id: neighbour.orgId }

  const ways: [columns: string[], text: string][] = [
    // to COPY this tab is one of the name, and what follows the next one is the organization
    [nameFirst, `${row(nameFirst, { ...idOf, name: `A\\\t${world.orgId}`, name_key: 'a' })}\n`],
    // these are two rows where lines end so
    [table.columns, `${row(table.columns, {})}\r${row(table.columns, { ...idOf, name_key: 'b' })}\r`],
  ]
  for (const [columns, text] of ways) {
    const change = (contents: typeof own.contents) => ({
      ...contents,
      tables: contents.tables.map((one) => (one.name === 'tags' ? { ...one, columns } : one)),
    })
    const archive = await checkedArchive(await repacked(t, own, change, { tags: text }))
    await restore({ connectionString: url }, archive).catch(() => {})
    assert.deepEqual(await rowsOf(target.db, neighbour), before)
    assert.deepEqual((await rowsOf(target.db, world)).flat(), [])
    await assert.rejects(
      restore({ connectionString: url }, archive),
      /rows that no backup contains\. Nothing was restored/,
    )
  }
})

test('an archive with foreign tables or columns is refused, also those of PostgreSQL itself', async (t) => {
  const whole = await archiveOf(t, source.url)
  const held = { name: 'pg_description', columns: ['objoid', 'classoid', 'objsubid', 'description'], key: ['objoid'] }
  const change = (contents: typeof whole.contents) => ({ ...contents, tables: [...contents.tables, held] })
  const rows = { pg_description: '1259\t1259\t99\tWas here\n' }
  const url = await emptyDatabase(t)
  await assert.rejects(
    restore({ connectionString: url }, await checkedArchive(await repacked(t, whole, change, rows))),
    /^ArchiveProblem: .+ has a table pg_description that no Taskwright has\. Nothing was restored\.$/,
  )
})

test('an organization with the id of the operator is refused, alone or with others', async (t) => {
  const nil = '00000000-0000-0000-0000-000000000000'
  const whole = await archiveOf(t, source.url)
  const { columns = [] } = whole.contents.tables.find(({ name }) => name === 'organizations') ?? {}
  const stored = await server.db.rows<{ row: string }>(sql`
    select array_to_string(array[${sql.join(
      columns.map((name) => sql`coalesce(${sql.named(name)}::text, '\\N')`),
      ', ',
    )}], e'\t') as row from organizations where org_id = ${world.orgId}`)
  const row = stored[0]?.row ?? ''
  const rows = { organizations: `${row}\n${row.replace(world.orgId, nil)}\n` }
  const refusal = /has an organization 00000000-0000-0000-0000-000000000000, the operator's own\. Nothing was restored/
  const among = await checkedArchive(await repacked(t, whole, (contents) => contents, rows))
  await assert.rejects(restore({ connectionString: await emptyDatabase(t) }, among), refusal)
  await assert.rejects(restore({ connectionString: await emptyDatabase(t) }, among, { orgId: nil }), refusal)
  const alone = (contents: typeof own.contents) => ({ ...contents, organization: { id: nil, name: 'Nobody' } })
  const named = await checkedArchive(
    await repacked(t, own, alone, { organizations: `${row.replace(world.orgId, nil)}\n` }),
  )
  await assert.rejects(restore({ connectionString: await emptyDatabase(t) }, named), refusal)
})

test('a small archive that unpacks to a huge one is refused, and does not fill the memory', async (t) => {
  const bomb = await checkedArchive(await repacked(t, own, (contents) => contents, { tags: '\n'.repeat(200_000_000) }))
  assert.ok((await stat(bomb.file)).size < 1_000_000)
  const url = await emptyDatabase(t)
  const before = process.memoryUsage.rss()
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before)
  }, 5)
  const refusal = /tags\/000001\.copy\.gz unpacks to more than 64 MB/
  await assert.rejects(restore({ connectionString: url }, bomb), refusal).finally(() => clearInterval(watching))
  assert.ok(most < 250_000_000, `${most} bytes more`)
})

test('texts in an archive cannot control a terminal', async (t) => {
  const path = await repacked(t, own, (contents) => ({ ...contents, format: 2, taskwright: '\x1b[2J9\x9b31m' }))
  await assert.rejects(checkedArchive(path), /made by a newer Taskwright \(\?\[2J9\?31m\)/)
})

test('files of others in the backup directory do not prevent a backup', async (t) => {
  const directory = await emptyDirectory(t)
  await mkdir(join(directory, 'backup.tar.999999999.partial'))
  const to = join(directory, 'backup.tar')
  await backUp({ connectionString: source.url }, to, { version: '0.1.0' })
  await checkedArchive(to)
  const within = join(to, 'backup.tar')
  await assert.rejects(backUp({ connectionString: source.url }, within, { version: '0.1.0' }), {
    name: 'ArchiveProblem',
  })
})
