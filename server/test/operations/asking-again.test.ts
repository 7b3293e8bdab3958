import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { routes } from '../../src/resources/index.ts'
import { lineOf, startScenes } from '../support/scene.ts'
import { type Api, apiOf, type Reply, sharedServer } from '../support/world.ts'

const { scene, newWorld, db, base } = await startScenes()
const other = await sharedServer()

/** GETs that answer no resource with a version of its own. */
const asked = routes.filter(({ isTaggedByBody }) => isTaggedByBody)

const tagOf = ({ headers }: Reply) => headers.get('etag') ?? assert.fail('It has no ETag')
const again = (api: Api, path: string, etag: string) => api.get(path, { 'if-none-match': etag })

test('every list and every report has a strong ETag of its own for each question, and gets 304 while nothing is written', async () => {
  const { world, open, ask } = await scene()
  const { owner } = world
  const tags: string[] = []
  // the timer that a sample started: what sums up what runs changes with time
  await owner.post('/timer/stop')
  for (const route of asked) {
    const first = await ask(owner, route, { things: open })
    assert.equal(first.status, 200, `${lineOf(route)}: ${first.text}`)
    const etag = tagOf(first)
    assert.match(etag, /^"[\w-]{22}(-gzip)?"$/, lineOf(route))
    tags.push(etag)
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`]) {
      const reply = await ask(owner, route, { things: open, headers: { 'if-none-match': known } })
      assert.deepEqual([reply.status, reply.text, reply.headers.get('etag')], [304, '', etag], lineOf(route))
      assert.equal(reply.headers.get('cache-control'), 'private, no-cache')
    }
    const any = await ask(owner, route, { things: open, headers: { 'if-none-match': '*' } })
    assert.deepEqual([any.status, any.headers.get('etag')], [304, etag.replace(/-gzip/, '')])
  }
  assert.equal(new Set(tags).size, tags.length)
})

test('the ETag of a list depends on the caller, the question, the order, the fields and the format', async () => {
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

test('a request sees every write that got a response before, also through another server', async () => {
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

test('a withdrawn right also applies to a client that asks again with an ETag', async () => {
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

test('a write does not change the ETag of lists that do not show it', async () => {
  const { owner, tag, project } = await newWorld()
  const before = { tags: tagOf(await owner.get('/tags')), projects: tagOf(await owner.get('/projects')) }
  await tag()
  assert.equal((await again(owner, '/tags', before.tags)).status, 200)
  assert.equal((await again(owner, '/projects', before.projects)).status, 304)
  await project()
  assert.equal((await again(owner, '/projects', before.projects)).status, 200)
})

test('a change without an event gives another ETag: running time, the last use of a key, the parts of an include', async () => {
  const { orgId, owner, task, project } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const paths = ['/reports/time?groupBy=project', '/reports/tasks?groupBy=project']
  paths.push('/projects?include=progress', '/tasks?include=trackedSeconds', '/api-keys', '/me')
  await owner.post('/timer/start', { taskId })
  const tags = await Promise.all(paths.map(async (path) => tagOf(await owner.get(path))))
  await db.rows(sql`update time_entries set started_at = started_at - interval '1 hour' where org_id = ${orgId}`)
  await db.rows(sql`update api_keys set last_used_at = '2026-01-01' where org_id = ${orgId}`)
  for (const [i, path] of paths.entries()) {
    const reply = await again(owner, path, tags[i] ?? '')
    assert.equal(reply.status, 200, path)
    assert.notEqual(tagOf(reply), tags[i], path)
  }
})

test('an empty page has an ETag like any other', async () => {
  const { owner, project, task } = await newWorld()
  const paths = ['/tasks?fields=id', '/time-entries', '/comments', '/reports/time?groupBy=member', '/tasks?q=nothing']
  for (const path of paths) assert.equal((await again(owner, path, tagOf(await owner.get(path)))).status, 304, path)
  const etag = tagOf(await owner.get('/tasks?fields=id'))
  await task({ projectId: (await project()).id })
  assert.equal((await again(owner, '/tasks?fields=id', etag)).status, 200)
})

test('a key without the scope read is refused with any ETag, and a list ignores If-Match', async () => {
  const { owner } = await newWorld()
  const etag = tagOf(await owner.get('/tags'))
  const { secret } = (await owner.post('/api-keys', { name: 'Writes only', scopes: ['write'] })).body
  assert.equal((await again(apiOf(`${base}/api/v1`, secret), '/tags', etag)).status, 403)
  assert.equal((await owner.get('/tags', { 'if-match': '"0"' })).status, 200)
})
