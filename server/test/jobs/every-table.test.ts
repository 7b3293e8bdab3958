import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { atOnce } from '../../src/db/at-once.ts'
import { newId } from '../../src/db/ids.ts'
import { foldingTexts, type Texts } from '../../src/db/lexemes.ts'
import { computeLexemes, recomputeNameKeys } from '../../src/db/migrations/recompute.ts'
import { normalizeText } from '../../src/db/normalize-text.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { purge } from '../../src/jobs/purge.ts'
import { tables } from '../../src/resources/index.ts'
import { copyOrganization, named, type Reference, referencesOf, tablesWith } from '../support/catalogue.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { ranOnce } from '../support/running.ts'
import { oneOfEach, referToEach } from '../support/samples.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// of its own, because a purge looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

/** Tables whose deleted rows stay for good, and why. */
const kept: Record<string, string> = { members: 'what they did names them' }

/** The column that says since when a row is as good as gone, by the tables that have one. */
const ends: Record<string, string> = {}
for (const column of ['deleted_at', 'revoked_at'])
  for (const table of await tablesWith(db, column)) ends[table] = column

const deletable = Object.keys(ends)
const references = (await referencesOf(db)).filter(({ parent }) => deletable.includes(parent) && !(parent in kept))

const endOf = (table: string) => named(ends[table] ?? assert.fail(table))
const isDeleted = (table: string) => sql`held.${endOf(table)} is not null`
const isThere = (table: string) => sql`held.${endOf(table)} is null`

/** An organization in which one of each thing was deleted and one is there, each of which refers to those beside it. */
const { orgId: template, there } = await deletedAndThere()

async function deletedAndThere() {
  const world = await newWorld()
  const { orgId, owner } = world
  const deleted = await oneOfEach(world)
  await referToEach(world, deleted)
  for (const path of [`/api-keys/${deleted['api-keys']}`, `/members/${deleted.members}`])
    assert.equal((await owner.delete(path)).status, 204)
  for (const table of (await tablesWith(db, 'deleted_at')).filter((name) => !(name in kept)))
    await db.rows(sql`update ${named(table)} held set deleted_at = now() where org_id = ${orgId} and ${isThere(table)}`)
  // so that what is there finds its place free in what is not
  await db.rows(sql`update tasks set number = number + 1000 where org_id = ${orgId}`)
  const joining = references.map(({ child }) => child).filter((table) => !deletable.includes(table))
  for (const table of new Set(joining)) await db.rows(sql`delete from ${named(table)} where org_id = ${orgId}`)
  const there = await oneOfEach(world)
  await referToEach(world, there)
  return { orgId, there }
}

test('every foreign key of a resource is declared with its table, in the right order', async () => {
  const declared = tables.flatMap(({ name, refersTo, joins }) => {
    const told = Object.entries({ [name]: refersTo, ...joins })
    return told.flatMap(([child, columns]) =>
      Object.entries(columns).map(([column, parent]) => ({ child, column: sql.named(column).text, parent })),
    )
  })
  const said = ({ child, column, parent }: Reference) => `${child}.${column} → ${parent}`
  assert.deepEqual(declared.map(said).sort(), (await referencesOf(db)).map(said).sort())
  const owner = (child: string) => tables.findIndex(({ name, joins }) => name === child || child in joins)
  for (const reference of declared)
    assert.ok(
      owner(reference.parent) <= owner(reference.child),
      `${said(reference)}: put it behind in resources/index.ts`,
    )
})

/** As many organizations like that one; in these all that is deleted was deleted long ago. */
async function copies(count: number): Promise<string[]> {
  const orgIds = Array.from({ length: count }, () => newId())
  await copyOrganization(db, template, orgIds)
  for (const table of deletable) await age(table, orgIds, isDeleted(table))
  return orgIds
}

const age = (table: string, orgIds: string[], which: Sql) =>
  db.rows(sql`
    update ${named(table)} held set ${endOf(table)} = ${new Date(Date.now() - 40 * 86_400_000).toISOString()}
    where org_id = any(${orgIds}) and ${which}`)

async function count(table: string, orgId: string, which: Sql): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    select count(*)::int as count from ${named(table)} held where held.org_id = ${orgId} and ${which}`)
  return row?.count ?? 0
}

test('rows deleted long ago are purged from every table with a deletion date, and other rows stay', async () => {
  const [orgId = ''] = await copies(1)
  for (const table of deletable) {
    for (const which of [isDeleted(table), isThere(table)])
      assert.ok(await count(table, orgId, which), `Nothing in samples.ts makes a row of ${table}`)
  }
  assert.deepEqual([...(await ranOnce(db, purge))], [])
  for (const table of deletable) {
    assert.equal(
      (await count(table, orgId, isDeleted(table))) > 0,
      table in kept,
      `${table} is not purged as it should be`,
    )
    assert.equal(await count(table, orgId, isThere(table)), await count(table, template, isThere(table)), table)
  }
})

test('the contents of a project are purged with it, from every table that refers to projects', async () => {
  const [orgId = ''] = await copies(1)
  const inIt = references.filter(({ parent }) => parent === 'projects')
  const naming = ({ column }: Reference) => sql`held.${named(column)} = ${there.projects}`
  for (const reference of inIt)
    assert.ok(await count(reference.child, orgId, naming(reference)), `Nothing in samples.ts makes ${said(reference)}`)
  await age('projects', [orgId], sql`held.id = ${there.projects}`)
  assert.deepEqual([...(await ranOnce(db, purge))], [])
  for (const reference of inIt) assert.equal(await count(reference.child, orgId, naming(reference)), 0, said(reference))
  assert.equal(await count('projects', orgId, sql`held.id = ${there.projects}`), 0)
})

test(
  'no purge fails because something refers to a row deleted long ago, and the row goes when nothing does',
  onPlainPostgres('it changes rows by their places'),
  async () => {
    const orgIds = await copies(references.length)
    const cases = references.map((reference, i) => ({ ...reference, orgId: orgIds[i] ?? '' }))
    const turned = new Map<string, { from: string; to: string }>()
    for (const one of cases) turned.set(one.orgId, await turn(one))

    const failures = await ranOnce(db, purge)
    for (const { orgId, ...reference } of cases)
      assert.equal(failures.get(orgId), undefined, `With ${said(reference)}: ${failures.get(orgId)}`)
    for (const { orgId, ...one } of cases) {
      const { child, column, parent } = one
      const lost = sql`held.${named(column)} is not null and not exists (
      select from ${named(parent)} named where named.org_id = ${orgId} and named.id = held.${named(column)})`
      assert.equal(await count(child, orgId, lost), 0, `${said(one)} that was purged`)
      if (parent === 'projects') continue
      for (const table of deletable)
        assert.equal(await count(table, orgId, isThere(table)), await count(table, template, isThere(table)), said(one))
    }

    for (const { orgId, child, column } of cases) {
      const { from, to } = turned.get(orgId) ?? assert.fail()
      await db.rows(sql`
      update ${named(child)} set ${named(column)} = ${from} where org_id = ${orgId} and ${named(column)} = ${to}`)
    }
    assert.deepEqual([...(await ranOnce(db, purge))], [])
    for (const { orgId, ...reference } of cases)
      assert.equal(
        await count(reference.parent, orgId, isDeleted(reference.parent)),
        0,
        `A row stays for ${said(reference)}`,
      )
  },
)

/** Lets a row that is there, and refers to one that is there, refer to a deleted one. @returns what it refers to */
async function turn({ orgId, child, column, parent }: Reference & { orgId: string }) {
  const end = endOf(parent)
  const itself = deletable.includes(child) ? sql`and ${isThere(child)}` : sql.empty
  const [row] = await db.rows<{ from: string; to: string }>(sql`
    with turning as (
      select held.ctid as place, held.${named(column)} as "from", (
        select id from ${named(parent)} gone where gone.org_id = ${orgId} and gone.${end} is not null limit 1) as "to"
      from ${named(child)} held
      join ${named(parent)} named on named.org_id = ${orgId} and named.id = held.${named(column)}
      where held.org_id = ${orgId} and named.${end} is null ${itself} limit 1)
    update ${named(child)} held set ${named(column)} = turning."to" from turning where held.ctid = turning.place
    returning turning."from", turning."to"`)
  return row ?? assert.fail(`referToEach in samples.ts does not make ${said({ child, column, parent })}`)
}

const said = ({ child, column, parent }: Reference) => `a row of ${child} whose ${column} names one of ${parent}`

test('every name key and every searched text is rebuilt when texts are folded in another way', async (t) => {
  const [orgId = ''] = await copies(1)
  const withKey = await tablesWith(db, 'name_key')
  const searched = tables.filter(({ foundBy }) => foundBy.length > 0)
  assert.deepEqual(searched.map(({ name }) => name).sort(), await tablesWith(db, 'lexemes'))
  for (const table of withKey)
    await db.rows(
      sql`update ${named(table)} set name = 'Ärger ' || id, name_key = 'stale ' || id where org_id = ${orgId}`,
    )
  for (const { table } of searched) await db.rows(sql`update ${table} set lexemes = null where org_id = ${orgId}`)

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  await recomputeNameKeys(client)
  await computeLexemes(client)

  for (const table of withKey) {
    const rows = await db.rows<{ name: string; key: string }>(sql`
      select name, name_key as key from ${named(table)} where org_id = ${orgId}`)
    assert.ok(rows.length > 0, `Nothing in samples.ts makes a row of ${table}`)
    for (const { name, key } of rows) assert.equal(key, normalizeText(name), `recompute.ts leaves out ${table}`)
  }
  for (const { name, table, foundBy } of searched) {
    const texts = sql.join(
      foundBy.map((column) => sql`held.${named(column)}`),
      ', ',
    )
    const there = sql`coalesce(${texts}) is not null`
    assert.ok(await count(name, orgId, there), `Nothing in samples.ts makes a text of ${name}`)
    const [wrong] = await db.rows(sql`
      select held.id from ${table} held where held.org_id = ${orgId} and ${there} and held.lexemes is null`)
    assert.equal(wrong, undefined, `recompute.ts leaves out ${name}`)
  }
})

test('every write keeps the search keys of a row in line with its texts', async () => {
  for (const { name, table, foundBy } of tables) {
    if (foundBy.length === 0) continue
    const columns = foundBy.map((text) => sql`${text}::text, held.${named(text)}`)
    const rows = await db.rows<{ texts: Texts; lexemes: string | null }>(sql`
      select json_build_object(${sql.join(columns, ', ')}) as texts, lexemes::text from ${table} held where org_id = ${template}`)
    for (const { texts, lexemes } of rows) {
      const computed = atOnce(foldingTexts(template, texts)).lexemes
      const [made] = await db.rows<{ lexemes: string | null }>(sql`select ${computed}::tsvector::text as lexemes`)
      assert.equal(lexemes, made?.lexemes, `${name}: ${JSON.stringify(texts)}`)
    }
  }
})
