import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Sql, sql } from '../../src/db/sql.ts'
import { tablesOfOrganizations } from '../../src/jobs/organization-erasure/tables.ts'
import { removeDeleted } from '../../src/jobs/removing.ts'
import { tablesWith } from '../support/catalogue.ts'
import { ranOnce } from '../support/running.ts'
import { oneOfEach, referToEach } from '../support/samples.ts'
import { migratedDatabase, operatorToken, startServer, type World } from '../support/world.ts'

// of its own, as the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { api, db, newWorld } = await startServer({ url })
after(drop)

const days = (count: number) => new Date(Date.now() + count * 86_400_000)

/** An organization with a row in every table that has rows of organizations, which its owner deleted. */
async function deletedWorld(): Promise<World> {
  const world = await newWorld()
  const { owner } = world
  const things = await oneOfEach(world)
  await referToEach(world, things)
  await owner.post('/tags', { name: 'Kept' }, { 'idempotency-key': 'kept' })
  const child = await api(owner.key).post('/api-keys', { name: 'Child' })
  await api(child.body.secret).post('/api-keys', { name: 'Grandchild' })
  await db.rows(sql`
    insert into detachments (org_id, kind, id, created_at) values (${world.orgId}, 'tag', ${things.tags}, now())`)
  const { body } = await owner.get('/organization')
  assert.equal((await owner.delete(`/organization?name=${encodeURIComponent(body.name)}`)).status, 204)
  return world
}

async function countsOf(orgId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await tablesOfOrganizations(db)) {
    const count = new Sql([`select count(*)::int as count from ${name} where org_id = `, ''], [orgId])
    counts[name] = (await db.row<{ count: number }>(count))?.count ?? 0
  }
  return counts
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

test('every table with rows of organizations is erased, each before the tables it refers to, and organizations last', async () => {
  const tables = await tablesOfOrganizations(db)
  const names = tables.map(({ name }) => name)
  assert.deepEqual(names.toSorted(), (await tablesWith(db, 'org_id')).toSorted())
  assert.equal(names.at(-1), 'organizations')
  // a table without org_id in its key has few rows: it is erased in one statement
  for (const { name, key } of tables) assert.ok(key[0] === 'org_id' || key.length === 1, name)
})

test('after 30 days no table has anything of a deleted organization, and other organizations keep everything', async () => {
  const [gone, lately, there] = [await deletedWorld(), await deletedWorld(), await newWorld()]
  const long = new Date(Date.now() - 5 * 86_400_000).toISOString()
  await db.rows(sql`update organizations set deleted_since = ${long} where org_id = ${gone.orgId}`)
  const before = await countsOf(there.orgId)
  assert.deepEqual([...(await ranOnce(db, (run) => removeDeleted(run, 3), days(24)))], [])
  assert.ok(total(await countsOf(gone.orgId)) > 50, 'it is not yet time')
  assert.deepEqual([...(await ranOnce(db, (run) => removeDeleted(run, 3), days(26)))], [])
  assert.equal(total(await countsOf(gone.orgId)), 0)
  assert.ok(total(await countsOf(lately.orgId)) > 50)
  assert.deepEqual(await countsOf(there.orgId), before)
  assert.equal((await there.owner.get('/me')).status, 200)
})

test('an organization that is being erased cannot come back, and an interrupted erasure continues in another run', async () => {
  const { orgId } = await deletedWorld()
  const before = total(await countsOf(orgId))
  const twoTurns = ({ inEach, ...run }: Parameters<typeof removeDeleted>[0]) => {
    let turns = 0
    return removeDeleted(
      {
        ...run,
        inEach: (orgIds, turn) => inEach(orgIds, async (one) => ++turns < 20 && (await turn(one))),
      },
      3,
    )
  }
  await ranOnce(db, twoTurns, days(40))
  const left = total(await countsOf(orgId))
  assert.ok(left > 0 && left < before)
  assert.equal((await api(operatorToken).post(`/organizations/${orgId}/restore`)).status, 404)
  await ranOnce(db, (run) => removeDeleted(run, 3), days(41))
  assert.equal(total(await countsOf(orgId)), 0)
})
