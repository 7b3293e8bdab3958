import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askers, linesOf } from '../../../scripts/roles.ts'
import { operator } from '../../src/access/caller.ts'
import { sql } from '../../src/db/sql.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes, tables } from '../../src/resources/index.ts'
import { hold, holdCounter, inTurn } from '../support/holding.ts'
import { rounds, sample } from '../support/rounds.ts'
import { lineOf, rowsOf, startScenes } from '../support/scene.ts'
import { type Api, created, databaseUrl, type Reply } from '../support/world.ts'

const { api, db, newWorld, scene } = await startScenes()

const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]
const keyOf = async (api: Api) => (await api.get('/me')).body.apiKey.id

for (const [what, send] of [
  ['rotates', (admin: Api, id: string) => admin.post(`/api-keys/${id}/rotate`)],
  ['revokes', (admin: Api, id: string) => admin.delete(`/api-keys/${id}`)],
] as const) {
  test(`a caller who ${what} a key while its holder is promoted above them waits, and is refused: 403`, async (t) => {
    const { owner, admin, member, orgId } = await newWorld()
    const id = await keyOf(member)
    const promote = () => owner.patch(`/members/${member.memberId}`, { role: 'owner' })
    const [promoted, refused] = await inTurn(t, { url: databaseUrl, orgId }, promote, () => send(admin, id))
    assert.equal(promoted.status, 200)
    assert.deepEqual(codeOf(refused), [403, 'missing_role'])
    assert.equal((await owner.get(`/api-keys?memberId=${member.memberId}`)).body.total, 1)
    assert.equal((await member.get('/me')).status, 200)
  })
}

for (const [what, send] of [
  ['updates', (admin: Api, id: string) => admin.patch(`/members/${id}`, { name: 'Renamed' })],
  ['demotes', (admin: Api, id: string) => admin.patch(`/members/${id}`, { role: 'member' })],
  ['removes', (admin: Api, id: string) => admin.delete(`/members/${id}`)],
] as const) {
  test(`a caller who ${what} somebody who is promoted above them meanwhile waits, and is refused: 403`, async (t) => {
    const { owner, admin, member, orgId } = await newWorld()
    const promote = () => owner.patch(`/members/${member.memberId}`, { role: 'owner' })
    const [promoted, refused] = await inTurn(t, { url: databaseUrl, orgId }, promote, () =>
      send(admin, member.memberId),
    )
    assert.equal(promoted.status, 200)
    assert.deepEqual(codeOf(refused), [403, 'missing_role'])
    assert.deepEqual((await owner.get(`/members/${member.memberId}`)).body, promoted.body)
  })
}

test('a caller who creates a key for somebody who is promoted above them meanwhile is refused: 403', async (t) => {
  const { owner, admin, member, orgId } = await newWorld()
  const promote = () => owner.patch(`/members/${member.memberId}`, { role: 'owner' })
  const make = () => admin.post('/api-keys', { name: 'Robot', memberId: member.memberId })
  const [, refused] = await inTurn(t, { url: databaseUrl, orgId }, promote, make)
  assert.deepEqual(codeOf(refused), [403, 'missing_role'])
})

// all rows of an organization but its keys and what follows its log
const held = ['organizations', ...tables.map(({ name }) => name).filter((name) => name !== 'api_keys')]
const lockingAll = `with ${held.map((name) => `${name}_held as materialized (select 1 from ${name} where org_id = $1 for update)`)}
  select ${held.map((name) => `(select count(*) from ${name}_held)`).join(' + ')}`

const writesOnProject: Record<string, (by: Api, id: string) => Promise<Reply>> = {
  PATCH: (by, id) => by.patch(`/projects/${id}`, { name: 'Renamed' }),
  POST: (by, id) => by.post('/tasks', { projectId: id, name: 'Made' }),
  'a keyed POST': (by, id) => by.post('/tasks', { projectId: id, name: 'Made' }, { 'idempotency-key': 'k' }),
  DELETE: (by, id) => by.delete(`/projects/${id}`),
  'a bulk': (by, id) =>
    by.post('/bulk', { operations: [{ method: 'PATCH', path: `/projects/${id}`, body: { name: 'Renamed' } }] }),
}

for (const [what, write] of Object.entries(writesOnProject)) {
  test(`${what} of a member who is demoted, or whose key is revoked, while it waits is not done`, async (t) => {
    const { owner, admin, join, project } = await newWorld()
    const other = await join('Anna Admin', 'admin')
    const { id } = await project()
    const before = (await owner.get(`/projects/${id}`)).body
    const held = await hold(t, databaseUrl, 'select 1 from projects where id = $1 for update', [id])
    const waiting = [write(admin, id), write(other, id)]
    // of two bulks of an organization the second may wait for the first
    await held.waiters(what === 'a bulk' ? 1 : 2)
    assert.equal((await owner.patch(`/members/${admin.memberId}`, { role: 'member' })).status, 200)
    assert.equal((await owner.delete(`/api-keys/${await keyOf(other)}`)).status, 204)
    await held.release()
    const [demoted, revoked] = await Promise.all(waiting)
    // a plain member does not see the project
    assert.deepEqual([demoted?.status, revoked?.status], [404, 401])
    assert.deepEqual((await owner.get(`/projects/${id}`)).body, before)
    assert.equal((await owner.get(`/tasks?projectId=${id}`)).body.data.length, 0)
  })
}

test('a caller who is promoted while their write waits can do it', async (t) => {
  const { owner, admin, project } = await newWorld()
  const { id } = await project()
  const held = await hold(t, databaseUrl, 'select 1 from projects where id = $1 for update', [id])
  const waiting = admin.patch(`/projects/${id}`, { name: 'Renamed' })
  await held.waiters(1)
  assert.equal((await owner.patch(`/members/${admin.memberId}`, { role: 'owner' })).status, 200)
  await held.release()
  assert.deepEqual([(await waiting).status, (await waiting).body.name], [200, 'Renamed'])
})

test('a caller can demote or remove themselves, and revoke or rotate the key in use', async () => {
  const { owner, join } = await newWorld()
  const acts: ((by: Api) => Promise<Reply>)[] = [
    (by) => by.patch(`/members/${by.memberId}`, { role: 'member' }),
    (by) => by.patch(`/members/${by.memberId}`, { status: 'deactivated' }),
    (by) => by.delete(`/members/${by.memberId}`),
    async (by) => by.delete(`/api-keys/${await keyOf(by)}`),
    async (by) => by.post(`/api-keys/${await keyOf(by)}/rotate`),
    (by) =>
      by.post('/bulk', {
        operations: [{ method: 'PATCH', path: `/members/${by.memberId}`, body: { role: 'member' } }],
      }),
  ]
  for (const act of acts) assert.ok((await act(await join('Adam Admin', 'admin'))).status < 300)
  assert.equal((await owner.get('/me')).status, 200)
})

for (const dryRun of [false, true])
  test(`no ${dryRun ? 'dry run gets a response' : 'write is done'} with a key that is revoked while it waits, for any write`, async (t) => {
    const { world, ask } = await scene()
    // these hold the key in use, so that who revokes it waits for them
    const holding = ['POST /api-keys', 'POST /api-keys/{id}/rotate']
    const writes = routes.filter((route) => route.method !== 'GET' && !holding.includes(lineOf(route)))
    let undone = 0
    const tried = sample(writes.filter(({ roles }) => roles !== operator))
    for (const route of tried) {
      const { id, secret } = await created(world.owner.post('/api-keys', { name: lineOf(route) }))
      const before = await rowsOf(db, world)
      // who comes to append waits there; a dry run does not, and waits for a row that it needs
      const held = await (dryRun
        ? hold(t, databaseUrl, lockingAll, [world.orgId])
        : holdCounter(t, databaseUrl, world.orgId))
      const waiting = ask(api(secret), route, dryRun ? { query: '?dryRun=true' } : {})
      const waits = await Promise.race([held.waiters(1), waiting.then(() => undefined)])
      if (waits === undefined) {
        // refused, or nothing to do
        await held.release()
        continue
      }
      await db.rows(sql`update api_keys set revoked_at = now() where org_id = ${world.orgId} and id = ${id}`)
      await held.release()
      const { status } = await waiting
      // a refusal tells nothing, and is not asked after
      const isRefused = dryRun && status >= 400 && status !== 401
      if (!isRefused) assert.equal(status, 401, lineOf(route))
      await db.rows(sql`update api_keys set revoked_at = null where org_id = ${world.orgId} and id = ${id}`)
      assert.deepEqual(await rowsOf(db, world), before, lineOf(route))
      if (!isRefused) undone++
    }
    assert.ok(undone > tried.length / 2, `${undone}`)
  })

test('a caller whose key is revoked while they wait for a copy of the request does not get its response: 401', async (t) => {
  const { owner, orgId } = await newWorld()
  const key = await created(owner.post('/api-keys', { name: 'Second' }))
  const send = () => api(key.secret).post('/tags', { name: 'Made once' }, { 'idempotency-key': 'k' })
  assert.deepEqual([(await send()).status, (await send()).status], [201, 201])
  // as if another server were still at it
  const [claim] = await db.rows<{ row: object }>(sql`
    select to_jsonb(idempotency_keys) as row from idempotency_keys where org_id = ${orgId}`)
  await db.rows(sql`delete from idempotency_keys where org_id = ${orgId}`)
  const twin = 'insert into idempotency_keys select * from jsonb_populate_record(null::idempotency_keys, $1)'
  const held = await hold(t, databaseUrl, twin, [claim?.row])
  const waiting = send()
  await held.waiters(1)
  assert.equal((await owner.delete(`/api-keys/${key.id}`)).status, 204)
  await held.commit()
  assert.equal((await waiting).status, 401)
})

test('a caller who no longer leads a project after a wait stops no timer of another member there: 412', async (t) => {
  const { owner, admin, member, orgId, project, task, addToProject, join } = await newWorld()
  const [here, there] = [(await project()).id, (await project()).id]
  const lead = await join('Lena Lead', 'member')
  for (const id of [here, there]) await addToProject(id, lead, 'lead')
  await addToProject(here, member)
  await addToProject(there, member)
  const running = await created(
    admin.post('/time-entries', { taskId: (await task({ projectId: there })).id, memberId: member.memberId }),
  )
  const { id: taskId } = await task({ projectId: here })
  const demoting = () => owner.patch(`/projects/${there}/members/${lead.memberId}`, { role: 'viewer' })
  const starting = () => lead.post('/time-entries', { taskId, memberId: member.memberId })
  const [demoted, refused] = await inTurn(t, { url: databaseUrl, orgId }, demoting, starting)
  assert.equal(demoted.status, 200)
  assert.deepEqual(codeOf(refused), [412, 'already_running'])
  assert.equal((await member.get(`/time-entries/${running.id}`)).body.endedAt, null)
})

for (const { what, as, lower, answers, raise } of [
  {
    what: 'removed from it',
    as: 'no member of the project',
    answers: [204, 404],
    lower: (owner: Api, memberships: string, id: string) => owner.delete(`${memberships}/${id}`),
    raise: (owner: Api, memberships: string, memberId: string) => owner.post(memberships, { memberId, role: 'lead' }),
  },
  {
    what: 'made a viewer of it',
    as: 'viewer',
    answers: [200, 403],
    lower: (owner: Api, memberships: string, id: string) => owner.patch(`${memberships}/${id}`, { role: 'viewer' }),
    raise: (owner: Api, memberships: string, id: string) => owner.patch(`${memberships}/${id}`, { role: 'lead' }),
  },
] as const)
  test(`no write in a project is done if its caller is ${what} while it waits: ${answers[1]}`, async (t) => {
    const { world, ask, open } = await scene()
    const { owner, member } = world
    const [lead, lowered] = [askers.indexOf('lead'), askers.indexOf(as)]
    const takesMore = (route: Route) =>
      linesOf(route, routes).some(({ verdicts }) => verdicts[lead] === 'yes' && verdicts[lowered] === answers[1])
    const writes = routes.filter(({ method }) => method !== 'GET').filter(takesMore)
    const memberships = `/projects/${open.projects}/members`
    let waited = 0
    for (const route of sample(writes)) {
      const held = await holdCounter(t, databaseUrl, world.orgId)
      const lowering = lower(owner, memberships, member.memberId)
      await held.waiters(1)
      const writing = ask(member, route)
      if (await Promise.race([held.waiters(2), writing.then(() => undefined)])) waited++
      await held.release()
      assert.deepEqual([(await lowering).status, (await writing).status], answers, lineOf(route))
      assert.ok((await raise(owner, memberships, member.memberId)).status < 300)
    }
    assert.ok(waited > rounds(5, 25), `${waited}`)
  })
