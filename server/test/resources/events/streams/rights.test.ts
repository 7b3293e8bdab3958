import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../../src/db/sql.ts'
import { openStream } from '../../../support/event-streams.ts'
import { type Api, created, sharedServer, startServer } from '../../../support/world.ts'

const { base, db, newWorld } = await sharedServer()
const other = await startServer()
const watchful = await startServer({ streaming: { lookEveryMs: 50, confirmEveryMs: 200 } })

/** What a reader has been told of, once it was told of `last`. */
async function toldUntil(stream: Awaited<ReturnType<typeof openStream>>, last: string): Promise<string[]> {
  await stream.event(({ data }) => data.snapshot.name === last)
  return stream.seen.events.map(({ data }) => data.snapshot.name)
}

test('a stream shows a caller nothing that they do not see, and no keys of others, while it catches up and while it follows', async () => {
  const { owner, member, project, task, tag, addToProject } = await newWorld()
  const [own, others] = [await project(), await project()]
  await addToProject(own.id, member)
  const { body: head } = await owner.get('/events/head')
  const live = await openStream(base, member.key)
  await task({ projectId: others.id, name: 'hidden' })
  await task({ projectId: own.id, name: 'seen' })
  await created(member.post('/tasks', { projectId: own.id, name: 'mine' }))
  await created(owner.post('/api-keys', { name: 'secret', memberId: owner.memberId }))
  await tag({ name: 'everybody' })
  assert.deepEqual(await toldUntil(live, 'everybody'), ['seen', 'mine', 'everybody'])
  const late = await openStream(base, member.key, { query: `?after=${head.latest}` })
  await toldUntil(late, 'everybody')
  assert.deepEqual(late.seen.events, live.seen.events)
  const { body: me } = await member.get('/me')
  assert.deepEqual(
    live.seen.events.map(({ data }) => data.actor),
    [
      { memberId: owner.memberId, apiKeyId: null },
      { memberId: member.memberId, apiKeyId: me.apiKey.id },
      { memberId: owner.memberId, apiKeyId: null },
    ],
  )
  const { body: list } = await member.get(`/events?after=${head.latest}`)
  assert.deepEqual(
    live.seen.events.map(({ data }) => data),
    list.data,
  )
  await Promise.all([live.close(), late.close()])
})

const endings: [name: string, end: (owner: Api, member: Api, keyId: string) => Promise<{ status: number }>][] = [
  ['a revoked key', (owner, _, keyId) => owner.delete(`/api-keys/${keyId}`)],
  [
    'a member who is deactivated',
    (owner, { memberId }) => owner.patch(`/members/${memberId}`, { status: 'deactivated' }),
  ],
  ['a member who is removed', (owner, { memberId }) => owner.delete(`/members/${memberId}`)],
]

for (const [name, end] of endings) {
  test(`the stream of ${name} ends, here and in another process, and sends nothing that happens later`, async () => {
    const { owner, member, tag } = await newWorld()
    const { body: me } = await member.get('/me')
    const streams = [await openStream(base, member.key), await openStream(other.base, member.key)]
    const owners = await openStream(base, owner.key)
    await tag({ name: 'before' })
    for (const stream of streams) await toldUntil(stream, 'before')
    const { status } = await end(owner, member, me.apiKey.id)
    assert.ok(status < 300, String(status))
    await tag({ name: 'after' })
    for (const stream of streams) {
      await stream.ended()
      assert.ok(!stream.seen.text.includes('after'))
    }
    await toldUntil(owners, 'after')
    await owners.close()
  })
}

test('a member who is removed from a project gets nothing more of it, and a member who is added does', async () => {
  const { owner, member, project, task, tag, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const streams = [await openStream(base, member.key), await openStream(other.base, member.key)]
  await task({ projectId, name: 'one' })
  for (const stream of streams) await toldUntil(stream, 'one')
  assert.equal((await owner.delete(`/projects/${projectId}/members/${member.memberId}`)).status, 204)
  await task({ projectId, name: 'two' })
  await tag({ name: 'between' })
  for (const stream of streams) await toldUntil(stream, 'between')
  await addToProject(projectId, member, 'viewer')
  await task({ projectId, name: 'three' })
  await tag({ name: 'last' })
  for (const stream of streams) {
    const told = await toldUntil(stream, 'last')
    assert.deepEqual([told[0], told.includes('two'), told.at(-2), told.at(-1)], ['one', false, 'three', 'last'])
    await stream.close()
  }
})

test('an admin who becomes a plain member gets only what a member sees, and a member who becomes an admin gets all', async () => {
  const { owner, admin, project, task, tag } = await newWorld()
  const { id: projectId } = await project()
  const stream = await openStream(base, admin.key)
  await task({ projectId, name: 'one' })
  await toldUntil(stream, 'one')
  assert.equal((await owner.patch(`/members/${admin.memberId}`, { role: 'member' })).status, 200)
  await task({ projectId, name: 'two' })
  await tag({ name: 'between' })
  await toldUntil(stream, 'between')
  assert.equal((await owner.patch(`/members/${admin.memberId}`, { role: 'admin' })).status, 200)
  await task({ projectId, name: 'three' })
  const tasks = (await toldUntil(stream, 'three')).filter((name) => ['one', 'two', 'three'].includes(name))
  assert.deepEqual(tasks, ['one', 'three'])
  await stream.close()
})

test('only members of a deleted project get its events', async () => {
  const { owner, member, join, project, tag, addToProject } = await newWorld()
  const { id: projectId } = await project({ name: 'going' })
  await addToProject(projectId, member)
  const stranger = await join('Sam Stranger', 'member')
  const [theirs, strangers] = [await openStream(base, member.key), await openStream(base, stranger.key)]
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  await tag({ name: 'last' })
  assert.deepEqual(await toldUntil(theirs, 'last'), ['going', 'last'])
  assert.deepEqual(await toldUntil(strangers, 'last'), ['last'])
  await Promise.all([theirs.close(), strangers.close()])
})

test('a key that was removed without an event also ends its stream', async () => {
  const { orgId, owner, member, tag } = await watchful.newWorld()
  const stream = await openStream(watchful.base, member.key)
  const others = await openStream(watchful.base, owner.key)
  const { body: me } = await member.get('/me')
  await watchful.db.rows(
    sql`update api_keys set revoked_at = now() where org_id = ${orgId} and id = ${me.apiKey.id} returning 1`,
  )
  await stream.ended()
  await tag({ name: 'goes on' })
  await toldUntil(others, 'goes on')
  await others.close()
})

test('a stream ends when its key expires, even if nothing happens', async () => {
  const { orgId, owner } = await newWorld()
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const asked = { name: 'short', memberId: owner.memberId, expiresAt: inAnHour }
  const key = await created(owner.post('/api-keys', asked))
  const stream = await openStream(base, key.secret)
  assert.equal(stream.status, 200)
  const [{ expiresAt } = assert.fail()] = await db.rows<{ expiresAt: Date }>(
    sql`update api_keys set expires_at = now() + interval '1500 ms' where org_id = ${orgId} and id = ${key.id}
      returning expires_at as "expiresAt"`,
  )
  // for this keys are read again, once
  assert.equal((await owner.patch('/organization', { name: 'Renamed' })).status, 200)
  await stream.ended()
  assert.ok(Date.now() >= new Date(expiresAt).getTime())
})

test('a stream requires a key with the scope read; without a key, 401 in JSON', async () => {
  const { owner } = await newWorld()
  const key = await created(owner.post('/api-keys', { name: 'w', memberId: owner.memberId, scopes: ['write'] }))
  const refused = await openStream(base, key.secret)
  assert.deepEqual([refused.status, refused.headers['x-error-code']], [403, 'missing_scope'])
  const unknown = await openStream(base, 'tw_nothing')
  await unknown.ended()
  assert.deepEqual([unknown.status, Object.keys(JSON.parse(unknown.seen.text))], [401, ['error']])
})
