import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { type Reply, startServer } from '../../support/world.ts'

const { db, newWorld } = await startServer()

/** So many members, each in projects of its own, straight into the tables. */
async function inProjectsOfTheirOwn(orgId: string, count: number, each: number) {
  const id = (...parts: Sql[]) => sql`md5(concat_ws('-', ${orgId}::text, ${sql.join(parts, ', ')}))::uuid`
  const [memberOf, projectOf] = [id(sql`'member'`, sql`m`), id(sql`'project'`, sql`m`, sql`p`)]
  const members = sql`generate_series(1, ${count}::int) m`
  const memberships = sql`${members}, generate_series(1, ${each}::int) p`
  await db.rows(sql`
    insert into members (org_id, id, name, name_key, email, role, created_at, updated_at)
    select ${orgId}::uuid, ${memberOf}, 'One', 'one', 'one' || m || '@example.com', 'member', now(), now() from ${members}`)
  await db.rows(sql`
    insert into projects (org_id, id, name, name_key, key, created_at, updated_at)
    select ${orgId}::uuid, ${projectOf}, 'Its', 'its', 'ITS' || m * 1000 + p, now(), now() from ${memberships}`)
  await db.rows(sql`
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select ${orgId}::uuid, ${projectOf}, ${memberOf}, 'contributor', now(), now() from ${memberships}`)
  const rows = await db.rows<{ id: string }>(sql`select ${memberOf} as id from ${members} order by m`)
  return rows.map((row) => row.id)
}

const assertTooMany = ({ status, headers, body }: Reply) => {
  assert.deepEqual([status, headers.get('x-error-code')], [412, 'too_many_changes'])
  assert.match(body.error, /^operations\.2: This would lock more than 600 projects/)
}

test('removals and erasures that wait for the writers of more than 600 projects at once are refused: 412, also in a dry run', async () => {
  const { orgId, owner } = await newWorld()
  const [a, b, c] = await inProjectsOfTheirOwn(orgId, 3, 220)
  const removal = (id = '') => ({ method: 'DELETE', path: `/members/${id}` })
  const erasure = (id = '') => ({ method: 'POST', path: `/members/${id}/erase` })
  for (const of of [removal, erasure]) {
    const operations = [of(a), of(b), of(c)]
    assertTooMany(await owner.post('/bulk?dryRun=true', { operations }))
    assertTooMany(await owner.post('/bulk', { operations }))
  }
  assert.equal((await owner.post('/bulk', { operations: [removal(a), erasure(b)] })).status, 200)
  assert.equal((await owner.delete(`/members/${c}`)).status, 204)
})
