import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { looksAt } from '../../../src/resources/events/feed.ts'
import { assertRefused, invalidFields } from '../../support/envelope.ts'
import { type Event, readFeed } from '../../support/feed.ts'
import { seemingStandby } from '../../support/standby.ts'
import { created, sharedServer, startServer } from '../../support/world.ts'

const { db, newWorld } = await sharedServer()

const sequencesOf = (events: readonly Event[]) => events.map(({ sequence }) => sequence)
const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)

test('an event says what happened to which resource, by whom and by which request, what differs, and how it is now', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { id } = await task({ projectId, name: 'Paint it' })
  const { latest } = (await owner.get('/events/head')).body
  const changed = await owner.patch(`/tasks/${id}`, { name: 'Paint it blue' }, { 'x-request-id': 'mine-1' })
  const { data, pagination } = (await owner.get(`/events?after=${latest}`)).body
  const me = (await owner.get('/me')).body
  assert.deepEqual(data, [
    {
      id: data[0].id,
      sequence: latest + 1,
      type: 'task.updated',
      actor: { memberId: owner.memberId, apiKeyId: me.apiKey.id },
      requestId: 'mine-1',
      resource: { type: 'task', id },
      projectId,
      changes: { name: { from: 'Paint it', to: 'Paint it blue' } },
      snapshot: changed.body,
      createdAt: changed.body.updatedAt,
    },
  ])
  assert.deepEqual(pagination, { nextCursor: null })
})

test('an event has its own id, which is the same wherever it is shown', async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const { id } = await one.task({ projectId: (await one.project()).id })
  const ids = (await Promise.all([one, other].map(({ owner }) => readFeed(owner)))).flat().map((event) => event.id)
  assert.equal(new Set(ids).size, ids.length)
  for (const each of ids) assert.match(each, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const [inHistory] = (await one.owner.get(`/tasks/${id}/history`)).body.data
  const [inFeed] = await readFeed(one.owner, `resourceId=${id}`)
  const { snapshot, ...shared } = inFeed ?? assert.fail()
  assert.deepEqual(inHistory, { ...shared, resourceId: id })
})

test('a reader pages through the feed to its end, oldest first, each event once, and continues from the last one it saw', async () => {
  const { owner, tag } = await newWorld()
  for (let i = 0; i < 5; i++) await tag()
  const all = await readFeed(owner)
  const { oldest, latest } = (await owner.get('/events/head')).body
  assert.deepEqual(
    sequencesOf(all),
    Array.from({ length: latest }, (_, i) => oldest + i),
  )
  for (const limit of [1, 3, 100]) assert.deepEqual(await readFeed(owner, `limit=${limit}`), all)
  assert.deepEqual(await readFeed(owner, `after=${latest}`), [])
  const { id } = await tag()
  const [next, ...further] = await readFeed(owner, `after=${latest}`)
  assert.deepEqual([next?.sequence, next?.resource.id, further], [latest + 1, id, []])
  assert.deepEqual(await readFeed(owner, `after=${latest - 2}&limit=1`), [...all.slice(-2), next])
})

test('a cursor goes further than the `after` of the first page, and filters can change between pages', async () => {
  const { owner, tag } = await newWorld()
  for (let i = 0; i < 3; i++) await tag()
  const { nextCursor } = (await owner.get('/events?after=1&limit=2')).body.pagination
  const following = await readFeed(owner, `after=1&cursor=${nextCursor}`)
  assert.equal(following[0]?.sequence, 4)
  const tags = await readFeed(owner, `cursor=${nextCursor}&type=tag.*`)
  assert.deepEqual(
    tags,
    following.filter(({ type }) => type.startsWith('tag.')),
  )
})

const nothing = { data: [], pagination: { nextCursor: null } }

test('a position that is not reached yet, by sequence or cursor, gets 412, because the log is not the one that was read', async () => {
  const { orgId, owner, tag } = await newWorld()
  await tag()
  const { latest } = (await owner.get('/events/head')).body
  const { nextCursor } = (await owner.get(`/events?limit=1&after=${latest - 2}`)).body.pagination
  assert.deepEqual((await owner.get(`/events?after=${latest}`)).body, nothing)
  for (const after of [latest + 1, Number.MAX_SAFE_INTEGER])
    assertRefused(await owner.get(`/events?after=${after}`), 412, 'position_expired')
  // as in a database that is put back
  await db.rows(sql`delete from events where org_id = ${orgId} and sequence > ${latest - 2}`)
  await db.rows(sql`update event_counters set last_sequence = ${latest - 2} where org_id = ${orgId}`)
  for (const query of [`after=${latest}`, `cursor=${nextCursor}`, `after=${latest - 1}&resourceId=${owner.memberId}`]) {
    const reply = await owner.get(`/events?${query}`)
    assertRefused(reply, 412, 'position_expired')
    assert.match(reply.body.error, /^There is no event \d+ yet, .*\/events\/head.*state.*follow/)
  }
  assert.deepEqual((await owner.get(`/events?after=${latest - 2}`)).body, nothing)
})

test('on a standby, which can lag, a position that is not reached yet returns no events yet', async () => {
  const { owner } = await (await startServer({ url: await seemingStandby() })).newWorld()
  assert.deepEqual((await owner.get('/events?after=1000000')).body, nothing)
})

test('type selects events by name, task.* selects all events of tasks, and a repeated type selects several', async () => {
  const { owner, project, task, tag } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  await owner.patch(`/tasks/${id}`, { priority: 'high' })
  await tag()
  await owner.delete(`/tasks/${id}`)
  const typesBy = async (query: string) => typesOf(await readFeed(owner, query))
  assert.deepEqual(await typesBy('type=task.updated'), ['task.updated'])
  assert.deepEqual(await typesBy('type=task.*'), ['task.created', 'task.updated', 'task.deleted'])
  assert.deepEqual(await typesBy('type=tag.created&type=task.created'), ['task.created', 'tag.created'])
  assert.deepEqual(await typesBy('type=task.deleted&type=tag.*'), ['tag.created', 'task.deleted'])
  assert.deepEqual(await typesBy('type=task_type.*'), [])
})

test('a type that no event can have gets 422, as does a type given twice, or more than twenty types', async () => {
  const { owner } = await newWorld()
  const known = ['created', 'updated', 'moved', 'deleted', 'restored'].flatMap((verb) =>
    ['task', 'subtask', 'stage', 'tag', 'project'].map((noun) => `type=${noun}.${verb}`),
  )
  for (const query of [
    'type=task.painted',
    'type=task',
    'type=*',
    'type=task.%2A&type=tasks.%2A',
    'type=',
    'type=Task.created',
    'type=task.created&type=nothing',
    'type=task.created&type=task.created',
    known.filter((type) => !/tag.moved|project.moved/.test(type)).join('&'),
  ]) {
    const reply = await owner.get(`/events?${query}`)
    assert.equal(reply.status, 422, query)
    assert.deepEqual([...new Set(invalidFields(reply).map((field) => field.split('.')[0]))], ['type'], query)
  }
  for (const after of ['-1', '1.5', 'x', '', '9007199254740992', '1&after=2'])
    assert.deepEqual(invalidFields(await owner.get(`/events?after=${after}`)), ['after'])
})

test('events must match all filters that are given together', async () => {
  const { owner, admin, project, task } = await newWorld()
  const [here, there] = [(await project()).id, (await project()).id]
  const { id } = await task({ projectId: here })
  await task({ projectId: there })
  await admin.patch(`/tasks/${id}`, { priority: 'high' })
  await owner.patch(`/tasks/${id}`, { priority: 'low' })
  await admin.patch(`/projects/${here}`, { name: 'Named anew' })
  const all = await readFeed(owner)
  const filters = {
    'type=task.*': ({ type }: Event) => type.startsWith('task.'),
    'type=project.updated&type=task.updated': ({ type }: Event) => /^(project|task)\.updated$/.test(type),
    [`resourceId=${id}`]: ({ resource }: Event) => resource.id === id,
    [`resourceId=${here}`]: ({ resource }: Event) => resource.id === here,
    [`projectId=${here}`]: ({ projectId }: Event) => projectId === here,
    [`projectId=${there}`]: ({ projectId }: Event) => projectId === there,
    [`actorId=${admin.memberId}`]: ({ actor }: Event) => actor.memberId === admin.memberId,
    [`after=${(all.at(-3) as Event).sequence}`]: ({ sequence }: Event) => sequence > (all.at(-3) as Event).sequence,
  }
  for (const [one, matchesOne] of Object.entries(filters)) {
    for (const [other, matchesOther] of Object.entries(filters)) {
      const expected = all.filter((event) => matchesOne(event) && matchesOther(event))
      const [names, more] = [one, other].map((query) => query.split('=')[0])
      const query = one === other ? one : `${one}&${other}`
      if (one !== other && names === more) continue
      assert.deepEqual(await readFeed(owner, query), expected, query)
      assert.deepEqual(await readFeed(owner, `${query}&limit=1`), expected, query)
    }
  }
})

test('a page looks at a limited number of events: if few match, it ends early with a cursor that leads on', async () => {
  const { orgId, owner, member, project, addToProject, tag } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { latest } = (await owner.get('/events/head')).body
  await db.rows(sql`
    with counter as (update event_counters set last_sequence = last_sequence + ${looksAt + 50} where org_id = ${orgId} returning 1)
    insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
    select ${orgId}::uuid, ${latest} + n, 'member.updated', 'many', ${owner.memberId}::uuid, '{}', '{}', current_timestamp
    from counter, generate_series(1, ${looksAt + 50}) n`)
  const { id } = await tag()
  const rare = `type=tag.created&after=${latest}`
  const first = (await owner.get(`/events?${rare}`)).body
  assert.deepEqual(first.data, [])
  assert.notEqual(first.pagination.nextCursor, null)
  for (const query of [rare, `after=${latest}&resourceId=${id}`, `after=${latest}&actorId=${owner.memberId}`]) {
    for (const api of [owner, member]) {
      const found = await readFeed(api, query)
      assert.deepEqual([sequencesOf(found), found[0]?.resource.id], [[latest + looksAt + 51], id], query)
    }
  }
  // what happened to one thing is found by its own index, and as many are looked at
  const ofOne = await owner.get(`/events?resourceId=${owner.memberId}&type=member.created&after=${latest}`)
  assert.deepEqual(ofOne.body.data, [])
  assert.notEqual(ofOne.body.pagination.nextCursor, null)
  assert.equal((await readFeed(owner, `resourceId=${owner.memberId}&after=${latest}&limit=100`)).length, looksAt + 50)
})

test('an event that replaces one that was lost at the end of the log has another id', async () => {
  const { orgId, owner, tag } = await newWorld()
  const { id } = await tag()
  const { latest } = (await owner.get('/events/head')).body
  const next = async (name: string) => {
    const requestId = { 'x-request-id': 'the-same-again' }
    assert.equal((await owner.patch(`/tags/${id}`, { name }, requestId)).status, 200)
    const [event] = await readFeed(owner, `after=${latest}`)
    return event ?? assert.fail()
  }
  const lost = await next('Lost')
  // as in a database that is put back, or a standby that took over before it had all
  await db.rows(sql`delete from events where org_id = ${orgId} and sequence > ${latest}`)
  await db.rows(sql`update event_counters set last_sequence = ${latest} where org_id = ${orgId}`)
  while (Date.now() <= Date.parse(lost.createdAt));
  const another = await next('Another')
  assert.deepEqual([another.sequence, another.type, another.resource], [lost.sequence, lost.type, lost.resource])
  assert.notEqual(another.id, lost.id)
})

test('a page of long texts ends before it is full, and the next one continues: no page grows with the texts', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const { latest } = (await owner.get('/events/head')).body
  // those of the second half are stored in a hundredth of their length
  const texts = Array.from({ length: 60 }, (_, i) =>
    i < 30 ? randomBytes(25_000).toString('hex') : `${'again and '.repeat(4_990)}${i}`,
  )
  for (const description of texts) assert.equal((await owner.patch(`/tasks/${id}`, { description })).status, 200)
  const sizes: number[] = []
  const measured = async (path: string) => {
    const reply = await owner.get(path)
    sizes.push(reply.body.data.length)
    assert.ok(reply.text.length < 1_500_000, `${reply.text.length} characters`)
    return reply
  }
  const all = await readFeed({ get: measured }, `after=${latest}&limit=100`)
  assert.deepEqual(
    all.map(({ snapshot }) => snapshot.description),
    texts,
  )
  const [first = 0, ...others] = sizes
  assert.ok(first > 10 && first < 30 && others.length > 1, `${sizes}`)
})

test('a cursor is good for the feed of its organization only', async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const { id: projectId } = await one.project()
  for (let i = 0; i < 2; i++) await one.task({ projectId })
  const ofFeed = (await one.owner.get('/events?limit=1')).body.pagination.nextCursor
  const ofTasks = (await one.owner.get('/tasks?limit=1')).body.pagination.nextCursor
  const wrong = [
    other.owner.get(`/events?cursor=${ofFeed}`),
    one.owner.get(`/tasks?cursor=${ofFeed}`),
    one.owner.get(`/events?cursor=${ofTasks}`),
  ]
  for (const reply of await Promise.all(wrong)) assert.deepEqual(invalidFields(reply), ['cursor'])
})

test('events require a key with the scope read', async () => {
  const { owner } = await newWorld()
  const { secret } = await created(owner.post('/api-keys', { name: 'Writes', scopes: ['write'] }))
  for (const path of ['/events', '/events/head'])
    assertRefused(await owner.get(path, { authorization: `Bearer ${secret}` }), 403, 'missing_scope')
})

test('taskId returns the events of a task and of its subtasks, comments and time, also after these were deleted', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const [mine, other] = [await task({ projectId }), await task({ projectId })]
  const wanted = [mine.id]
  for (const { id } of [mine, other]) {
    const subtask = await created(owner.post(`/tasks/${id}/subtasks`, { name: 'A step' }))
    const comment = await created(owner.post(`/tasks/${id}/comments`, { body: 'Seen' }))
    const span = { startedAt: '2026-01-05T09:00:00Z', endedAt: '2026-01-05T10:00:00Z' }
    const time = await created(owner.post('/time-entries', { taskId: id, ...span }))
    const timeBelow = await created(owner.post('/time-entries', { subtaskId: subtask.id, ...span }))
    if (id === mine.id) wanted.push(subtask.id, comment.id, time.id, timeBelow.id)
  }
  await owner.delete(`/subtasks/${wanted[1]}`)
  await owner.delete(`/comments/${wanted[2]}`)
  const events = await readFeed(owner, `taskId=${mine.id}`)
  assert.deepEqual(
    typesOf(events),
    ['task', 'subtask', 'comment', 'time_entry', 'time_entry']
      .map((noun) => `${noun}.created`)
      .concat('subtask.deleted', 'comment.deleted'),
  )
  assert.deepEqual(new Set(events.map(({ resource }) => resource.id)), new Set(wanted))
  assert.deepEqual(typesOf(await readFeed(owner, `taskId=${mine.id}&type=comment.*`)), [
    'comment.created',
    'comment.deleted',
  ])
  for (const limit of [1, 2, 100]) {
    const query = `taskId=${mine.id}&limit=${limit}`
    assert.deepEqual(await readFeed(owner, query), events, query)
    assert.deepEqual(await readFeed(owner, `${query}&sort=-sequence`), events.toReversed(), query)
  }
})

test('taskId of a task that the caller does not see returns no events', async () => {
  const { owner, member, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  assert.equal((await readFeed(owner, `taskId=${id}`)).length, 1)
  assert.deepEqual(await readFeed(member, `taskId=${id}`), [])
  assert.deepEqual(await readFeed((await newWorld()).owner, `taskId=${id}`), [])
})

test('with sort=-sequence a reader pages through the feed newest first, from its end or a cursor back to after or since', async () => {
  const { owner, tag } = await newWorld()
  for (let i = 0; i < 7; i++) await tag()
  const all = await readFeed(owner)
  for (const limit of [1, 3, 100]) {
    assert.deepEqual(await readFeed(owner, `sort=-sequence&limit=${limit}`), all.toReversed())
    const [third] = all.slice(2)
    const after = `sort=-sequence&after=${third?.sequence}&limit=${limit}`
    assert.deepEqual(await readFeed(owner, after), all.slice(3).toReversed())
    const since = `sort=-sequence&since=${third?.createdAt}&limit=${limit}&type=tag.*`
    const expected = (await readFeed(owner, `since=${third?.createdAt}&type=tag.*`)).toReversed()
    assert.deepEqual(await readFeed(owner, since), expected)
  }
  const { nextCursor } = (await owner.get('/events?sort=-sequence&limit=2')).body.pagination
  await tag()
  const { data } = (await owner.get(`/events?sort=-sequence&limit=100&cursor=${nextCursor}`)).body
  assert.deepEqual(data, all.toReversed().slice(2))
  assert.deepEqual(invalidFields(await owner.get(`/events?cursor=${nextCursor}`)), ['cursor'])
})

test('a page that is read newest first looks at a limited number of events, and leads on to earlier ones', async () => {
  const { owner, orgId, tag } = await newWorld()
  const { id } = await tag()
  await db.rows(sql`
    with counted as (update event_counters set last_sequence = last_sequence + ${looksAt + 10} where org_id = ${orgId}
      returning last_sequence)
    insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
    select ${orgId}, counted.last_sequence - ${looksAt + 10} + i, 'organization.updated', 'test', ${orgId}, '{}', '{}', now()
    from counted, generate_series(1, ${looksAt + 10}) i`)
  const first = (await owner.get('/events?sort=-sequence&type=tag.*')).body
  assert.deepEqual(first.data, [])
  const next = (await owner.get(`/events?sort=-sequence&type=tag.*&cursor=${first.pagination.nextCursor}`)).body
  assert.deepEqual(
    next.data.map(({ resource }: Event) => resource.id),
    [id],
  )
  assert.equal(next.pagination.nextCursor, null)
})

test('a stream follows the order of events and no single task: sort and taskId get 422', async () => {
  const { owner } = await newWorld()
  for (const [query, field] of [
    ['sort=-sequence', 'sort'],
    [`taskId=${owner.memberId}`, 'taskId'],
  ] as const) {
    const refused = await owner.get(`/events?${query}`, { accept: 'text/event-stream' })
    assert.deepEqual(invalidFields(refused), [field])
  }
})
