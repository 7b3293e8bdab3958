import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type CopyTransaction, fieldOf, inCopyTransaction, type Value } from '../../../src/db/copy/copy-transaction.ts'
import { setIndexesAside } from '../../../src/db/copy/indexes.ts'
import { checkReferences, postponeReferences } from '../../../src/db/copy/references.ts'
import { Database } from '../../../src/db/pool/database.ts'
import { sql } from '../../../src/db/sql.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { onPlainPostgres } from '../../support/citus.ts'
import { goBetween } from '../../support/go-between.ts'
import { migratedDatabase } from '../../support/world.ts'

const { url, drop } = await migratedDatabase()
afterwards(file, drop)
const db = new Database({ connection: { connectionString: url } })
afterwards(file, () => db.close())

const now = '2026-01-31T09:30:00.000Z'
const tables = ['organizations', 'tags', 'tasks']

const indexesOf = (tx: CopyTransaction) =>
  tx.query<{ indexdef: string }>('select indexdef from pg_indexes where tablename = any($1) order by 1', [tables])

const copy = (tx: CopyTransaction, table: string, columns: string[], rows: Value[][]) =>
  tx.copy(table, columns, Buffer.from(rows.map((row) => `${row.map(fieldOf).join('\t')}\n`).join('')))

function addOrganization(tx: CopyTransaction, orgId: string, name = 'An organization') {
  return copy(tx, 'organizations', ['org_id', 'name', 'created_at', 'updated_at'], [[orgId, name, now, now]])
}

const tagColumns = ['org_id', 'id', 'name', 'name_key', 'color', 'created_at', 'updated_at']

function addTag(tx: CopyTransaction, orgId: string) {
  return copy(tx, 'tags', tagColumns, [[orgId, randomUUID(), 'A tag', 'a tag', null, now, now]])
}

const undone = new Error('undone')

/** Runs work whose transaction is undone. */
const tried = async <T>(work: (tx: CopyTransaction) => Promise<T>): Promise<T> => {
  let result: T | undefined
  const trial = inCopyTransaction(db, async (tx) => {
    result = await work(tx)
    throw undone
  })
  await assert.rejects(trial, (error) => error === undone || (assert.fail(error as Error) as never))
  return result as T
}

const onlyReads = onPlainPostgres('what only reads copies to the nodes all the same')
const setsAside = onPlainPostgres('indexes of distributed tables are not set aside')
const postpones = onPlainPostgres('the nodes check each reference')

test('text comes out of the database as it went in, with any content', async () => {
  for (const name of ['a\tb', 'a\nb', 'a\r\nb', 'a\\b', '\\N', '\\.', '“ä” 🙂', '']) {
    const orgId = randomUUID()
    const [row] = await tried(async (tx) => {
      await addOrganization(tx, orgId, name)
      return tx.query('select name from organizations where org_id = $1', [orgId])
    })
    assert.deepEqual(row, { name })
  }
})

test('bulk work whose BEGIN was lost keeps nothing', onlyReads, async (t) => {
  const between = await goBetween(t, url)
  between.interfere((text) => (text.startsWith('begin') ? 'lose' : undefined))
  const behind = new Database({ connection: { connectionString: between.url } })
  afterwards(t, () => behind.close())
  const orgId = randomUUID()
  await assert.rejects(
    inCopyTransaction(behind, (tx) => addOrganization(tx, orgId)),
    { code: '25006' },
  )
  assert.deepEqual(await db.rows(sql`select from organizations where org_id = ${orgId}`), [])
})

test('an error in bulk work undoes everything', async () => {
  const orgId = randomUUID()
  await tried((tx) => addOrganization(tx, orgId))
  assert.deepEqual(
    await inCopyTransaction(db, (tx) => tx.query('select from organizations where org_id = $1', [orgId])),
    [],
  )
})

test('a row that the database refuses makes the work fail with its reason', async () => {
  const twice = inCopyTransaction(db, async (tx) => {
    const orgId = randomUUID()
    await addOrganization(tx, orgId)
    await addOrganization(tx, orgId)
  })
  await assert.rejects(twice, /organizations_pkey/)
})

test(
  'removed indexes are rebuilt as they were; keys stay, and so do all indexes of a table with rows',
  setsAside,
  async () => {
    await tried(async (tx) => {
      const before = await indexesOf(tx)
      const orgId = randomUUID()
      await addOrganization(tx, orgId)
      await addTag(tx, orgId)
      const build = await setIndexesAside(tx, tables)
      // organizations and tags hold rows, tasks holds none
      const stays = ({ indexdef }: { indexdef: string }) =>
        !/ ON public\.tasks /.test(indexdef) || /INDEX (tasks_pkey|tasks_number) /.test(indexdef)
      assert.ok(before.some((index) => !stays(index)))
      assert.deepEqual(await indexesOf(tx), before.filter(stays))
      await build()
      assert.deepEqual(await indexesOf(tx), before)
    })
  },
)

test('references are checked at the end, and a broken one is found', postpones, async () => {
  await tried(async (tx) => {
    assert.equal(await postponeReferences(tx), true)
    const [orgId, lost] = [randomUUID(), randomUUID()]
    await addOrganization(tx, orgId)
    await addTag(tx, orgId)
    await checkReferences(tx, orgId, tables)
    await addTag(tx, lost)
    await assert.rejects(checkReferences(tx, lost, tables), /A row breaks tags_org_id_fkey of tags/)
  })
})

test('a role that cannot postpone references has them checked row by row', postpones, async () => {
  await tried(async (tx) => {
    await tx.query('create role seeder')
    await tx.query('grant insert on tags to seeder')
    await tx.query('set local role seeder')
    assert.equal(await postponeReferences(tx), false)
    await assert.rejects(addTag(tx, randomUUID()), /tags_org_id_fkey/)
  })
})
