import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { removeDeleted } from '../../src/jobs/removing.ts'
import { changeFromOutside } from '../../src/operations/changes.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { deleteOrganization, organizationNow } from '../../src/resources/organizations/organization.ts'
import type { Scope } from '../support/afterwards.ts'
import { named } from '../support/catalogue.ts'
import { type Field, published } from '../support/published.ts'
import { ranOnce } from '../support/running.ts'
import { inUsefulOrder, lineOf, startScenes } from '../support/scene.ts'
import { outcome } from '../support/slow/processes.ts'
import { migratedDatabase } from '../support/world.ts'

// of its own, as the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, api, logged, scene } = await startScenes({ url })
after(drop)

const letters = (count: number) => Array.from({ length: count }, () => 'BCDFGHJKLMNPQRSTVWXZ'[randomInt(20)]).join('')

/** Which fields of bodies took the word somewhere, over all routes. */
const took = new Set<string>()

/** Deletes the organizations, each with all that was stored of it. */
const waysToGo: Record<string, (t: Scope, orgIds: readonly string[]) => Promise<void>> = {
  async 'org delete --yes'(t, orgIds) {
    for (const id of orgIds) {
      const { code, err } = await outcome(t, ['org', 'delete', id, '--yes'], { DATABASE_URL: url })
      assert.equal(code, 0, err.join('\n'))
    }
  },
  async 'the job, 30 days after'(_, orgIds) {
    for (const id of orgIds)
      await changeFromOutside(db, async (tx, emit, now) => {
        const organization = await organizationNow(tx, id)
        assert.ok(organization)
        await deleteOrganization(tx, emit, organization, now)
      })
    assert.deepEqual([...(await ranOnce(db, removeDeleted, new Date(Date.now() + 31 * 86_400_000)))], [])
  },
}

for (const [way, go] of Object.entries(waysToGo)) {
  test(`no table and no log has anything left of a deleted organization, whatever text it stored: ${way}`, async (t) => {
    // ids of requests are in the log; what clients make of them is theirs
    const [word, requestWord] = [letters(8), letters(8)]
    const orgIds = await storeEverywhere(word, requestWord)
    const held = await tracesOf([word, requestWord, ...orgIds])
    for (const column of ['tags.name', 'events.snapshot', 'idempotency_keys.key', 'tasks.lexemes', 'webhooks.url'])
      assert.ok(held.includes(column), `${column} holds no word: ${held}`)
    assert.ok(held.length > 60, `${held}`)
    await go(t, orgIds)
    assert.deepEqual(await tracesOf([word, requestWord, ...orgIds]), [])
    assert.ok(logged.length > 50)
    assert.deepEqual(
      logged.filter((line) => line.toLowerCase().includes(word.toLowerCase())),
      [],
    )
    assert.ok(!(await logOfDatabase()).toLowerCase().includes(word.toLowerCase()))
  })
}

test('each field of a body that takes any text took the word', () => {
  const open = routes
    .filter(({ path }) => path !== '/bulk')
    .flatMap((route) =>
      Object.entries(published(route.body).properties ?? {})
        .filter(([, field]) => takesAnyText(field))
        .map(([name]) => `${lineOf(route)} ${name}`),
    )
  assert.ok(open.length > 30)
  assert.deepEqual(
    open.filter((field) => !took.has(field)),
    [],
  )
})

/** Whether a published field, or something within it, is a text of whatever form. */
function takesAnyText(field: unknown): boolean {
  if (typeof field !== 'object' || field === null) return false
  if ('type' in field && field.type === 'string') {
    const takesLetters = !('pattern' in field) || new RegExp(String(field.pattern), 'u').test('WORD1')
    return takesLetters && !('format' in field || 'enum' in field || 'const' in field)
  }
  return Object.values(field).some(takesAnyText)
}

/** Writes the word by every write of the API, into every field that takes it, and into the headers that are stored. */
async function storeEverywhere(word: string, requestWord: string) {
  const { ask, bodies, world, open } = await scene()
  const orgIds = [world.orgId, open.organizations ?? '']
  let count = 0
  for (const route of inUsefulOrder.filter(
    ({ method, path }) => !['GET', 'DELETE'].includes(method) && !path.endsWith('/erase'),
  )) {
    for (const sample of bodies(route)) {
      count++
      const body = sample && filled(route, sample, word, count)
      const headers = {
        'x-request-id': `${requestWord}-${count}`,
        ...(route.method === 'POST' ? { 'idempotency-key': `${word}-${count}` } : {}),
      }
      const reply = await ask(world.owner, route, { body, headers })
      assert.ok(reply.status < 300, `${lineOf(route)} ${JSON.stringify(body)}: ${reply.text}`)
      if (lineOf(route) === 'POST /organizations') orgIds.push(reply.body.organization.id)
    }
  }
  const { owner } = world
  const twice = [1, 2].map(() =>
    owner.post('/tags', { name: `${word} twice` }, { 'idempotency-key': `${word}-${++count}` }),
  )
  assert.deepEqual((await Promise.all(twice)).map(({ status }) => status).toSorted(), [201, 422])
  const operations = [{ method: 'POST', path: '/tags', body: { name: `${word} in a bulk` } }]
  await owner.post('/bulk', { operations }, { 'idempotency-key': `${word}-bulk` })
  await owner.post('/tags', { name: word, [word]: word }, { 'idempotency-key': `${word}-refused` })
  for (const path of ['/search', '/tasks', '/projects'])
    assert.equal((await owner.get(`${path}?q=${word}`)).status, 200)
  assert.equal((await api(owner.key).get(`/${word}`)).status, 404)
  const attempts = JSON.stringify([{ at: new Date().toISOString(), status: 500, ms: 1, error: word, answer: word }])
  await world.delivery(open.webhooks ?? '', { attempts })
  await db.rows(sql`analyze`)
  return orgIds
}

/** A body with the word in every field that takes it in some form. */
function filled(route: Route, sample: object, word: string, count: number): object {
  const texts = [
    `${word} ${count}`,
    `${word}${count % 10}`,
    word,
    `${word}-${count}@example.com`,
    `https://example.com/${word}`,
  ]
  const candidates = [...texts, ...texts.map((text) => [text])]
  const isValid = (body: object) => route.body?.safeParse(body).success === true
  return fill(sample, published(route.body), (body) => body, [])

  function fill(body: object, { properties = {} }: Field, within: (inner: object) => object, path: string[]): object {
    let best: Record<string, unknown> = { ...body }
    for (const [field, schema] of Object.entries(properties)) {
      const inner = best[field]
      if (schema.properties && typeof inner === 'object' && inner !== null) {
        const before = best
        best = { ...best, [field]: fill(inner, schema, (it) => within({ ...before, [field]: it }), [...path, field]) }
        continue
      }
      const value = candidates.find((candidate) => isValid(within({ ...best, [field]: candidate })))
      if (value === undefined) continue
      best = { ...best, [field]: value }
      took.add(`${lineOf(route)} ${path[0] ?? field}`)
    }
    return best
  }
}

/** The columns of tables, and of what PostgreSQL remembers of their values, that hold one of these words. */
async function tracesOf(words: readonly string[]): Promise<string[]> {
  // bytes are shown in hexadecimal
  const sought = words.flatMap((word) => [word, word.toLowerCase(), word.replaceAll('-', '')])
  const forms = [...sought, ...sought.map((word) => Buffer.from(word).toString('hex'))].map((form) => `%${form}%`)
  const columns = await db.rows<{ table: string; column: string }>(sql`
    select relname::text as table, attname::text as column from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped`)
  assert.ok(columns.length > 150)
  const traces: string[] = []
  for (const { table, column } of columns) {
    const [row] = await db.rows(sql`
      select from ${named(table)} held where held.${named(column)}::text ilike any(${forms}) limit 1`)
    if (row) traces.push(`${table}.${column}`)
  }
  const remembered = await db.rows<{ table: string; column: string }>(sql`
    select tablename::text as table, tablename || '.' || attname || ' in pg_stats' as column from pg_stats
    where schemaname = 'public'
      and concat(most_common_vals::text, histogram_bounds::text, most_common_elems::text) ilike any(${forms})`)
  for (const { table, column } of remembered) if (!(await isNeverForgotten(table))) traces.push(column)
  return traces
}

/** Whether a table is one of which PostgreSQL before 18 cannot be told to forget the values: one that is empty now. */
async function isNeverForgotten(table: string): Promise<boolean> {
  const [known] = await db.rows<{ is: boolean }>(sql`
    select to_regproc('pg_clear_attribute_stats') is null and not exists (select from ${named(table)}) as is`)
  return known?.is === true
}

/** All that PostgreSQL logged, where it logs into files. */
async function logOfDatabase(): Promise<string> {
  const where = await db.row<{ folder: string; collected: string }>(sql`
    select current_setting('data_directory') || '/log' as folder, current_setting('logging_collector') as collected`)
  if (where?.collected !== 'on') return ''
  const files = await readdir(where.folder)
  assert.ok(files.length > 0)
  return (await Promise.all(files.map((file) => readFile(`${where.folder}/${file}`, 'utf8')))).join('\n')
}
