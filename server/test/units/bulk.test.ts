import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setIndexesAside } from '../../src/db/copy/indexes.ts'
import { bulk, fieldOf, type Load, type Value } from '../../src/db/copy/load.ts'
import { checkReferences, postponeReferences } from '../../src/db/copy/references.ts'
import { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards, file } from '../afterwards.ts'
import { goBetween } from '../go-between.ts'
import { migratedDatabase } from '../world.ts'

const { url, drop } = await migratedDatabase()
afterwards(file, drop)
const db = new Database({ connection: { connectionString: url } })
afterwards(file, () => db.close())

const now = '2026-01-31T09:30:00.000Z'
const tables = ['organizations', 'tags', 'tasks']

const indexesOf = (load: Load) =>
  load.query<{ indexdef: string }>('select indexdef from pg_indexes where tablename = any($1) order by 1', [tables])

const copy = (load: Load, table: string, columns: string[], rows: Value[][]) =>
  load.copy(table, columns, Buffer.from(rows.map((row) => `${row.map(fieldOf).join('\t')}\n`).join('')))

function addOrganization(load: Load, orgId: string, name = 'An organization') {
  return copy(load, 'organizations', ['org_id', 'name', 'created_at', 'updated_at'], [[orgId, name, now, now]])
}

const tagColumns = ['org_id', 'id', 'name', 'name_key', 'color', 'created_at', 'updated_at']

function addTag(load: Load, orgId: string) {
  return copy(load, 'tags', tagColumns, [[orgId, randomUUID(), 'A tag', 'a tag', null, now, now]])
}

const undone = new Error('undone')

/** Runs work whose transaction is undone. */
const tried = async <T>(work: (load: Load) => Promise<T>): Promise<T> => {
  let result: T | undefined
  const trial = bulk(db, async (load) => {
    result = await work(load)
    throw undone
  })
  await assert.rejects(trial, (error) => error === undone || (assert.fail(error as Error) as never))
  return result as T
}

test('text comes out of the database as it went in, whatever it holds', async () => {
  for (const name of ['a\tb', 'a\nb', 'a\r\nb', 'a\\b', '\\N', '\\.', '“ä” 🙂', '']) {
    const orgId = randomUUID()
    const [row] = await tried(async (load) => {
      await addOrganization(load, orgId, name)
      return load.query('select name from organizations where org_id = $1', [orgId])
    })
    assert.deepEqual(row, { name })
  }
})

test('of bulk work whose BEGIN was lost on the way nothing is kept', async (t) => {
  const between = await goBetween(t, url)
  between.interfere((text) => (text.startsWith('begin') ? 'lose' : undefined))
  const behind = new Database({ connection: { connectionString: between.url } })
  afterwards(t, () => behind.close())
  const orgId = randomUUID()
  await assert.rejects(
    bulk(behind, (load) => addOrganization(load, orgId)),
    { code: '25006' },
  )
  assert.deepEqual(await db.rows(sql`select from organizations where org_id = ${orgId}`), [])
})

test('what bulk work throws undoes everything', async () => {
  const orgId = randomUUID()
  await tried((load) => addOrganization(load, orgId))
  assert.deepEqual(await bulk(db, (load) => load.query('select from organizations where org_id = $1', [orgId])), [])
})

test('a row that the database refuses fails the work with its reason', async () => {
  const twice = bulk(db, async (load) => {
    const orgId = randomUUID()
    await addOrganization(load, orgId)
    await addOrganization(load, orgId)
  })
  await assert.rejects(twice, /organizations_pkey/)
})

test('indexes that were set aside are built again as they were; keys stay, and so do all indexes of a table with rows', async () => {
  await tried(async (load) => {
    const before = await indexesOf(load)
    const orgId = randomUUID()
    await addOrganization(load, orgId)
    await addTag(load, orgId)
    const build = await setIndexesAside(load, tables)
    // organizations and tags hold rows, tasks holds none
    const stays = ({ indexdef }: { indexdef: string }) =>
      !/ ON public\.tasks /.test(indexdef) || /INDEX (tasks_pkey|tasks_number) /.test(indexdef)
    assert.ok(before.some((index) => !stays(index)))
    assert.deepEqual(await indexesOf(load), before.filter(stays))
    await build()
    assert.deepEqual(await indexesOf(load), before)
  })
})

test('a reference to nothing is found when references are checked at the end', async () => {
  await tried(async (load) => {
    assert.equal(await postponeReferences(load), true)
    const [orgId, lost] = [randomUUID(), randomUUID()]
    await addOrganization(load, orgId)
    await addTag(load, orgId)
    await checkReferences(load, orgId, tables)
    await addTag(load, lost)
    await assert.rejects(checkReferences(load, lost, tables), /A row breaks tags_org_id_fkey of tags/)
  })
})

test('who may not postpone references has them checked row by row', async () => {
  await tried(async (load) => {
    await load.query('create role seeder')
    await load.query('grant insert on tags to seeder')
    await load.query('set local role seeder')
    assert.equal(await postponeReferences(load), false)
    await assert.rejects(addTag(load, randomUUID()), /tags_org_id_fkey/)
  })
})
