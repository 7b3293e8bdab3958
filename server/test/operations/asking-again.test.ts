import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedWithoutEvent } from '../../src/db/as-of.ts'
import { sql } from '../../src/db/sql.ts'
import { cacheKeyOf } from '../../src/operations/cache-key.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { lineOf, startScenes } from '../support/scene.ts'
import { withinQuarterHour } from '../support/until.ts'
import { type Api, apiOf, type Reply, sharedServer } from '../support/world.ts'

const { scene, newWorld, db, base } = await startScenes()
const other = await sharedServer()

/** GETs that answer no resource with a version of its own. */
const asked = routes.filter(({ changing }) => changing !== undefined)

/** What has no ETag, as it changes without an event. */
const restless = [
  'GET /me',
  'GET /api-keys',
  'GET /trash',
  'GET /audit/refused-sign-ins',
  'GET /webhooks/{id}/deliveries',
]

const tagOf = ({ headers }: Reply) => headers.get('etag') ?? assert.fail('It has no ETag')
const again = (api: Api, path: string, etag: string) => api.get(path, { 'if-none-match': etag })

test('every list and every report has a strong ETag, of its own for each question, and is 304 while nothing is written', async () => {
  const { world, open, ask } = await scene()
  const { owner } = world
  const tags: string[] = []
  // the timer that a sample started: what sums up what runs has no tag
  await owner.post('/timer/stop')
  assert.deepEqual(asked.filter(({ changing }) => changing?.itself === 'without events').map(lineOf), restless)
  for (const route of asked.filter((one) => !restless.includes(lineOf(one)))) {
    await withinQuarterHour()
    const first = await ask(owner, route, { things: open })
    assert.equal(first.status, 200, `${lineOf(route)}: ${first.text}`)
    const etag = tagOf(first)
    assert.match(etag, /^"[\w-]{22}\.\d+\.\d+(-gzip)?"$/, lineOf(route))
    tags.push(etag)
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`]) {
      const reply = await ask(owner, route, { things: open, headers: { 'if-none-match': known } })
      assert.deepEqual([reply.status, reply.text, reply.headers.get('etag')], [304, '', etag], lineOf(route))
      assert.equal(reply.headers.get('cache-control'), 'private, no-cache')
    }
    const any = await ask(owner, route, { things: open, headers: { 'if-none-match': '*' } })
    assert.deepEqual([any.status, any.headers.get('etag')], [304, etag.replace(/-gzip/, '')])
  }
  await world.tag()
  for (const [i, route] of asked.filter((one) => !restless.includes(lineOf(one))).entries()) {
    const reply = await ask(owner, route, { things: open, headers: { 'if-none-match': tags[i] ?? '' } })
    assert.equal(reply.status, 200, lineOf(route))
  }
  assert.equal(new Set(tags).size, tags.length)
})

test('the ETag of a list is that of who asks, for what, in which order, with which fields and in which form', async () => {
  const { owner, admin, member } = await newWorld()
  const of = async (api: Api, path: string, headers = {}) => tagOf(await api.get(path, headers))
  const tags = [
    ...(await Promise.all([owner, admin, member].map((api) => of(api, '/tasks')))),
    ...(await Promise.all(
      ['limit=5', 'sort=-updatedAt', 'fields=id', 'include=tags'].map((q) => of(owner, `/tasks?${q}`)),
    )),
    await of(owner, '/reports/tasks?groupBy=project'),
    await of({ ...owner, get: csvOf(owner) }, '/reports/tasks?groupBy=project'),
  ]
  assert.equal(new Set(tags).size, tags.length)
  // what one was answered is no answer to another one
  assert.equal((await again(member, '/tasks', tags[0] ?? '')).status, 200)
})

const csvOf =
  ({ key }: Api) =>
  async (path: string) => {
    const headers = { authorization: `Bearer ${key}`, accept: 'text/csv' }
    const reply = await fetch(`${base}/api/v1${path}`, { headers })
    return { status: reply.status, headers: reply.headers, text: await reply.text(), body: undefined }
  }

test('a write that was answered is seen by whoever asks then, also by another server', async () => {
  const { owner, task, project } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const elsewhere = other.api(owner.key)
  for (let n = 0; n < 20; n++) {
    const etag = tagOf(await elsewhere.get('/tasks'))
    assert.equal((await again(elsewhere, '/tasks', etag)).status, 304)
    assert.equal((await owner.patch(`/tasks/${id}`, { name: `Edit ${n}` })).status, 200)
    const { status, body } = await again(elsewhere, '/tasks', etag)
    assert.deepEqual([status, body?.data[0].name], [200, `Edit ${n}`])
  }
})

test('a right that was withdrawn is withdrawn from who asks again, too', async () => {
  const { owner, member, project, addToProject, task, join } = await newWorld()
  const { id: projectId } = await project()
  await task({ projectId })
  await addToProject(projectId, member)
  const seen = await member.get('/tasks')
  assert.equal(seen.body.data.length, 1)
  assert.equal((await owner.delete(`/projects/${projectId}/members/${member.memberId}`)).status, 204)
  const unseen = await again(member, '/tasks', tagOf(seen))
  assert.deepEqual([unseen.status, unseen.body.data], [200, []])
  // a role
  const boss = await join('Bo Boss', 'admin')
  const all = tagOf(await boss.get('/tasks'))
  assert.equal((await owner.patch(`/members/${boss.memberId}`, { role: 'member' })).status, 200)
  assert.deepEqual((await again(boss, '/tasks', all)).body.data, [])
  // what is for admins alone
  const webhooks = tagOf(await owner.get('/webhooks'))
  assert.equal((await again(boss, '/webhooks', webhooks)).status, 403)
  // a key
  const etag = tagOf(await boss.get('/tags'))
  const { apiKey } = (await boss.get('/me')).body
  assert.equal((await owner.delete(`/api-keys/${apiKey.id}`)).status, 204)
  assert.equal((await again(boss, '/tags', etag)).status, 401)
})

test('in a database that was put back a number that comes again stands for other contents', async () => {
  const { orgId, owner, tag } = await newWorld()
  const counter = () => db.row<object>(sql`select * from event_counters where org_id = ${orgId}`)
  const before = await counter()
  const { id } = await tag({ name: 'lost' })
  const etag = tagOf(await owner.get('/tags'))
  const numberOf = (tag: string) => tag.split('.')[1]
  // as a backup of before has it
  await db.rows(sql`delete from events where org_id = ${orgId} and resource_id = ${id}`)
  await db.rows(sql`delete from tags where org_id = ${orgId} and id = ${id}`)
  await db.rows(sql`
    update event_counters set ${sql.set({ lastSequence: sql`last_sequence - 1`, changedSequence: sql`changed_sequence - 1`, changedAt: sql`'2026-01-01'` })}
    where org_id = ${orgId}`)
  assert.notDeepEqual(await counter(), before)
  await tag({ name: 'kept' })
  const { status, body, headers } = await again(owner, '/tags', etag)
  assert.deepEqual([status, body.data.map(({ name }: { name: string }) => name)], [200, ['kept']])
  assert.equal(numberOf(headers.get('etag') ?? ''), numberOf(etag))
})

test('while the last write was that of a server of the version before lists have no ETag, until a job has caught up', async () => {
  const { orgId, owner } = await newWorld()
  const etag = tagOf(await owner.get('/tags'))
  // it counts on, and says nothing of the moment
  await db.rows(sql`update event_counters set last_sequence = last_sequence + 1 where org_id = ${orgId}`)
  const reply = await again(owner, '/tags', etag)
  assert.deepEqual([reply.status, reply.headers.get('etag')], [200, null])
  assert.equal((await again(owner, '/tags', '*')).status, 200)
  await db.transaction((tx) => tx.rows(changedWithoutEvent(orgId)))
  assert.equal((await again(owner, '/tags', tagOf(await owner.get('/tags')))).status, 304)
})

test('what sums up time that runs has no ETag while any runs, and what is overdue another one on another day', async () => {
  const { owner, task, project } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const reports = ['/reports/time?groupBy=project', '/reports/tasks?groupBy=project']
  const lists = ['/projects?include=progress', '/tasks?include=trackedSeconds']
  const before = await Promise.all([...reports, ...lists].map(async (path) => tagOf(await owner.get(path))))
  assert.equal((await owner.post('/timer/start', { taskId })).status, 201)
  for (const [i, path] of [...reports, ...lists].entries()) {
    const reply = await again(owner, path, before[i] ?? '')
    assert.deepEqual([reply.status, reply.headers.get('etag')], [200, null], path)
  }
  // what does not sum it up has one
  for (const path of ['/time-entries', '/projects', '/timer']) tagOf(await owner.get(path))
  assert.equal((await owner.post('/timer/stop')).status, 200)
  for (const path of [...reports, ...lists]) tagOf(await owner.get(path))
  const keyAt = (line: string, moment: string) =>
    cacheKeyOf(routeOf(line), requestOf(owner.memberId), 'v', new Date(moment))?.key
  const [noon, evening, night] = ['12:00:00', '12:14:59', '22:15:00'].map((time) => `2026-01-31T${time}Z`) as [
    string,
    string,
    string,
  ]
  assert.equal(keyAt('GET /reports/tasks', noon), keyAt('GET /reports/tasks', evening))
  assert.notEqual(keyAt('GET /reports/tasks', noon), keyAt('GET /reports/tasks', night))
  assert.equal(keyAt('GET /tasks', noon), keyAt('GET /tasks', night))
})

const routeOf = (line: string): Route => routes.find((route) => lineOf(route) === line) ?? assert.fail(line)
const requestOf = (memberId: string) => ({
  ...{ url: '/', headers: {}, params: {}, query: {}, body: undefined, id: '' },
  caller: { orgId: '', memberId, keyId: '', role: 'owner' as const, scopes: ['read'], credential: '' },
})

test('what is included and changes without an event leaves a list without an ETag', async () => {
  const { owner } = await newWorld()
  assert.equal((await owner.get('/webhooks?include=progress')).headers.get('etag'), null)
  tagOf(await owner.get('/webhooks'))
})

test('an empty page has an ETag as any other has', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  for (const path of [
    '/tasks?fields=id',
    '/time-entries',
    '/comments',
    '/reports/time?groupBy=member',
    '/tasks?q=nothing',
  ]) {
    await withinQuarterHour()
    const etag = tagOf(await owner.get(path))
    assert.equal((await again(owner, path, etag)).status, 304, path)
    await task({ projectId })
    assert.equal((await again(owner, path, etag)).status, 200, path)
  }
})

test('a key that may not read is refused whatever it knows, and If-Match on a list is ignored', async () => {
  const { owner } = await newWorld()
  const etag = tagOf(await owner.get('/tags'))
  const { secret } = (await owner.post('/api-keys', { name: 'Writes only', scopes: ['write'] })).body
  assert.equal((await again(apiOf(`${base}/api/v1`, secret), '/tags', etag)).status, 403)
  assert.equal((await owner.get('/tags', { 'if-match': '"0"' })).status, 200)
})
