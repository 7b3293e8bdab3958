import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { catchUp } from '../../src/jobs/catching-up.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { ranOnce } from '../support/running.ts'
import { plannerOf, unindexed } from '../support/slow/plans.ts'
import { type Api, created, migratedDatabase, startServer } from '../support/world.ts'

// of its own, because the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, api, newWorld } = await startServer({ url })
const planner = await plannerOf(db, url)
after(async () => {
  await planner.close()
  await drop()
})

const catchesUp = (batch?: number) => ranOnce(db, (run) => catchUp(run, batch))

const found = async (owner: Api, q: string) =>
  (await owner.get(`/tasks?q=${encodeURIComponent(q)}`)).body.data.map(({ name }: { name: string }) => name).sort()

/** As a server of the version before writes a task: it knows one column of what finds it. */
const writtenBefore = (
  orgId: string,
  id: string,
  { name, description }: { name: string; description: string | null },
) =>
  db.rows(sql`
    update tasks set name = ${name}, description = ${description}, version = version + 1,
      search = to_tsvector('simple', concat_ws(' ', ${name}::text, ${description}::text))
    where org_id = ${orgId} and id = ${id}`)

test('what a server of the version before writes to tasks while both run is found by phrases too, once the job has run', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const [red, blue] = [`${'red '.repeat(300)}fox`, `${'blue '.repeat(300)}hen`]
  const long = () => task({ projectId, name: 'still red', description: red })
  const [edited, cut, emptied, across] = await Promise.all([long(), long(), long(), task({ projectId })])
  await task({ projectId, name: 'untouched', description: red })
  await task({ projectId, name: 'hen '.repeat(60).trim() })
  await writtenBefore(orgId, edited.id, { name: 'edited', description: blue })
  await writtenBefore(orgId, cut.id, { name: 'cut', description: 'Short' })
  await writtenBefore(orgId, emptied.id, { name: 'emptied', description: null })
  await writtenBefore(orgId, across.id, { name: 'across red', description: 'fox' })
  const rows = () => db.rows(sql`select id, xmin::text from tasks where org_id = ${orgId} order by id`)
  assert.deepEqual([...(await catchesUp(2))], [])
  assert.deepEqual(
    [await found(owner, '"red fox"'), await found(owner, '"blue hen"'), await found(owner, 'across fox')],
    [['untouched'], ['edited'], ['across red']],
  )
  assert.deepEqual(await found(owner, '"cut short" or "cut" or "emptied"'), ['cut', 'emptied'])
  // and then there is nothing left to do
  const done = await rows()
  assert.deepEqual([...(await catchesUp())], [])
  assert.deepEqual(await rows(), done)
})

test('what is found otherwise once the job has run is new to who asks again, and lists have ETags again', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id, description: 'red '.repeat(300) })
  const ask = (etag = '') => owner.get('/tasks?q="blue hen"', { 'if-none-match': etag })
  const known = (await ask()).headers.get('etag') ?? ''
  await writtenBefore(orgId, id, { name: 'edited', description: `${'blue '.repeat(300)}hen` })
  await catchesUp()
  const found = await ask(known)
  assert.deepEqual([found.status, found.body.data.length], [200, 1])
  // it counts its event, and does not say when
  await db.rows(sql`update event_counters set last_sequence = last_sequence + 1 where org_id = ${orgId}`)
  assert.equal((await ask()).headers.get('etag'), null)
  await catchesUp()
  assert.match((await ask()).headers.get('etag') ?? '', /^"/)
})

/** As a server of the version before stores a key. */
const madeBefore = (orgId: string, id: string) =>
  db.rows(sql`
    update api_keys set created_by = null, created_with = null, made_until = default
    where org_id = ${orgId} and id = ${id}`)

const lifeOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string | null }) =>
  expiresAt === null ? null : Date.parse(expiresAt) - Date.parse(createdAt)

test('a key that a server of the version before made is followed by one of as long a life, and dies with the one it was made with', async () => {
  const { orgId, owner, admin, member } = await newWorld()
  const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString()
  const parent = await created(owner.post('/api-keys', { name: 'Parent', memberId: admin.memberId }))
  const make = (fields: object) => created(api(parent.secret).post('/api-keys', fields))
  const expiring = await make({ name: 'Expiring', memberId: member.memberId, expiresAt })
  const lasting = await make({ name: 'Lasting' })
  for (const { id } of [expiring, lasting]) await madeBefore(orgId, id)

  const successor = async ({ id }: { id: string }) => lifeOf(await created(owner.post(`/api-keys/${id}/rotate`)))
  assert.deepEqual([await successor(expiring), await successor(lasting)], [lifeOf(expiring), null])
  await catchesUp()
  // though each of them ends in a day, for it was rotated
  assert.deepEqual([await successor(expiring), await successor(lasting)], [lifeOf(expiring), null])
  for (const { id } of [expiring, lasting]) {
    const { createdBy, createdWith } = (await owner.get(`/api-keys/${id}`)).body
    assert.deepEqual([createdBy, createdWith], [admin.memberId, parent.id])
  }
  assert.equal((await owner.delete(`/api-keys/${parent.id}?descendants=true`)).status, 204)
  for (const { secret } of [parent, expiring, lasting]) assert.equal((await api(secret).get('/me')).status, 401)
})

test('so is one that such a server made before the database could tell', async () => {
  const { url, drop } = await migratedDatabase()
  const { db, newWorld } = await startServer({ url })
  after(drop)
  const { orgId, owner } = await newWorld()
  const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString()
  const key = await created(owner.post('/api-keys', { name: 'Expiring', expiresAt }))
  await db.rows(sql`delete from migrations where name ~ '^003[45]'`)
  await db.rows(sql`drop index api_keys_without_maker`)
  await db.rows(sql`alter table api_keys alter column made_until drop default`)
  await db.rows(sql`
    update api_keys set created_by = null, created_with = null, made_until = null
    where org_id = ${orgId} and id = ${key.id}`)
  await migrate({ connectionString: url })
  assert.deepEqual([...(await ranOnce(db, (run) => catchUp(run)))], [])
  assert.equal(lifeOf(await created(owner.post(`/api-keys/${key.id}/rotate`))), lifeOf(key))
  assert.equal((await owner.get(`/api-keys/${key.id}`)).body.createdBy, owner.memberId)
})

test(
  'looking for what a server of the version before wrote reads what is to be done, and no table',
  onPlainPostgres('it looks into plans'),
  async () => {
    const { orgId, project, task } = await newWorld()
    const { id } = await task({ projectId: (await project()).id, name: 'A task', description: 'With words' })
    await writtenBefore(orgId, id, { name: 'A task', description: 'Of others' })
    const plans = await planner.plansOf(() => catchesUp())
    assert.ok(plans.length > 3)
    assert.deepEqual(
      plans.flatMap(unindexed).filter((table) => table !== 'organizations'),
      [],
    )
  },
)

test('names that a server of the version before folds while both run are folded anew once the job has run', async () => {
  const { orgId, owner, tag, project, workspace } = await newWorld()
  const names = async (path: string) =>
    (await owner.get(`${path}?q=${encodeURIComponent('мой')}`)).body.data.map(({ name }: { name: string }) => name)
  for (const name of ['Мой', 'Мой 2', 'Мои']) await tag({ name })
  await project({ name: 'Мой' })
  for (let i = 0; i < 2; i++) await workspace({ name: 'Мой', stages: ['Мой'] })
  const foldedBefore = (table: string, name: string, key: string) =>
    db.rows(sql`update ${sql.named(table)} set name_key = ${key} where org_id = ${orgId} and name = ${name}`)
  // the version before may have made a second tag of the same name
  await foldedBefore('tags', 'Мои', 'other')
  await db.rows(sql`update tags set name = 'Мой', name_key = 'мои' where org_id = ${orgId} and name_key = 'other'`)
  await foldedBefore('tags', 'Мой 2', 'мои 2')
  for (const table of ['projects', 'workspaces', 'stages']) await foldedBefore(table, 'Мой', 'мои')
  assert.deepEqual(await names('/projects'), [])
  for (let i = 0; i < 2; i++) assert.deepEqual([...(await catchesUp())], [])
  assert.deepEqual(
    [await names('/tags'), await names('/projects'), await names('/workspaces')],
    [['Мой', 'Мой 2'], ['Мой'], ['Мой', 'Мой']],
  )
  const stages = await db.rows(sql`select name_key as key from stages where org_id = ${orgId}`)
  assert.deepEqual(stages, [{ key: 'мой' }, { key: 'мой' }])
})
