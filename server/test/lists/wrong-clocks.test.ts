import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { idFrom } from '../../src/db/ids.ts'
import { Sql, sql } from '../../src/db/sql.ts'
import { taskOrders } from '../../src/resources/tasks/orders.ts'
import { asNamed, inUsefulOrder, lineOf, startScenes } from '../support/scene.ts'
import { allSources } from '../support/sources.ts'

const { db, newWorld, scene } = await startScenes()

const days = 86_400_000

test('a list pages past rows created under a wrong clock, by years in either direction', async () => {
  const { owner, orgId, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const moments = [Date.UTC(1970, 0, 1), Date.UTC(2019, 0, 1), Date.now() + 3 * days, Date.UTC(2150, 0, 1)]
  const rows = moments.flatMap((ms) =>
    // of one millisecond, as a bulk makes them
    Array.from({ length: 6 }, (_, i) => ({ id: idFrom(ms, 2 ** 20 + i * 2 ** 18, randomBytes(6)), ms })),
  )
  await db.rows(sql`
    insert into time_entries (org_id, id, project_id, task_id, member_id, started_at, ended_at, created_at, updated_at)
    select ${orgId}::uuid, row.id, ${projectId}::uuid, ${taskId}::uuid, ${owner.memberId}::uuid, row.at, row.at, row.at, row.at
    from unnest(${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ ms }) => new Date(ms).toISOString())}::timestamptz[]) as row (id, at)`)
  for (const limit of [1, 4]) {
    const read: string[] = []
    for (let cursor = ''; ; ) {
      const { status, body, text } = await owner.get(`/time-entries?limit=${limit}${cursor}`)
      assert.equal(status, 200, text)
      read.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.pagination.nextCursor === null) break
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    assert.deepEqual(read, rows.map(({ id }) => id).toReversed())
  }
})

test('a list of tasks does so in any order, also by relevance when more match than are ranked', async () => {
  const { owner, orgId, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId, name: 'Sought' })
  const years = [1970, 2019, 2026, 2150, 2151]
  const ids = years.flatMap((year) =>
    Array.from({ length: 120 }, (_, i) => idFrom(Date.UTC(year, 0, 1, 0, i), 2 ** 20, randomBytes(6))),
  )
  await db.rows(sql`
    insert into tasks (org_id, id, project_id, number, key, name, lexemes, created_by, created_at, updated_at)
    select org_id, row.id, project_id, 1000 + row.n, 'OLD-' || row.n, name, lexemes, created_by, created_at, updated_at
    from tasks, unnest(${ids}::uuid[]) with ordinality as row (id, n) where org_id = ${orgId} and tasks.id = ${taskId}`)
  for (const sort of taskOrders.names.filter((name) => name !== 'position').flatMap((name) => [name, `-${name}`])) {
    const read = new Set<string>()
    const q = sort.endsWith('relevance') ? 'q=sought&' : ''
    for (let cursor = ''; ; ) {
      const { status, body, text } = await owner.get(`/tasks?${q}sort=${sort}&limit=100&fields=id${cursor}`)
      assert.equal(status, 200, `${sort}: ${text}`)
      for (const { id } of body.data) {
        assert.ok(!read.has(id), sort)
        read.add(id)
      }
      if (body.pagination.nextCursor === null) break
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    const newest = sort.endsWith('relevance') ? ids.slice(101) : ids
    for (const id of newest) assert.ok(read.has(id), `${sort} lacks ${id}`)
  }
})

test('no row is updated before it was created, after any clock was set back', async () => {
  const { world, ask, open } = await scene()
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('org_id', 'created_at', 'updated_at')
    group by table_name having count(*) = 3`)
  const ofEach = (before: string, after: string) =>
    Promise.all(
      tables.map(({ name }) =>
        db.rows(new Sql([before.replace('{}', name), after], [[world.orgId, open.organizations]])),
      ),
    )
  await ofEach(
    `update {} set created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour' where org_id = any(`,
    ')',
  )
  for (const route of inUsefulOrder.filter(({ method }) => method !== 'GET')) {
    await ask(world.owner, route, asNamed(route))
    const wrong = await ofEach('select * from {} where org_id = any(', ') and updated_at < created_at')
    assert.deepEqual(wrong.flat(), [], lineOf(route))
  }
})

test('no statement sets back the update time of a row, in a job or in a consequence of another write', () => {
  const setting = /\bupdated_at = (?!greatest\(|\$\{latest\()/
  const wrong = [...allSources()].filter(([file, text]) => file.startsWith('server/src/') && setting.test(text))
  assert.deepEqual(
    wrong.map(([file]) => file),
    [],
  )
})
