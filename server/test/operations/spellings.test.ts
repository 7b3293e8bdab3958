import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, invalidFields } from '../support/envelope.ts'
import { created, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

test('keys in paths ignore case, for tasks and projects, and so do ids', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await project({ key: 'WEB' })
  const made = await task({ projectId: id })
  for (const path of ['/tasks/web-1', '/tasks/Web-1', `/tasks/${made.id.toUpperCase()}`]) {
    assert.equal((await owner.get(path)).body.id, made.id, path)
  }
  for (const path of ['/projects/web', '/projects/Web/members', '/tasks/web-1/comments', '/tasks/web-1/history']) {
    assert.equal((await owner.get(path)).status, 200, path)
  }
  const edit = [{ method: 'PATCH', path: '/tasks/web-1', body: { name: 'Edited' } }]
  assert.equal((await owner.post('/bulk', { operations: edit })).body.results[0].body.name, 'Edited')
  assertRefused(await owner.get('/tasks/web-2'), 404)
  // U+0131 is no i, and U+017F no s
  assertRefused(await owner.get('/tasks/web-%C4%B1'), 404)
})

test('an Idempotency-Key under two spellings of one path gets a replay', async () => {
  const { owner, project, task } = await newWorld()
  const made = await task({ projectId: (await project({ key: 'WEB' })).id })
  const spellings = [
    '/tasks/WEB-1/comments',
    '/tasks/web-1/comments',
    '/tasks/WEB%2D1/comments',
    '/tasks/%57EB-1/comments?',
  ]
  const replies = []
  for (const path of spellings) replies.push(await owner.post(path, { body: 'Once' }, { 'idempotency-key': 'spelled' }))
  for (const { status, text } of replies) assert.deepEqual([status, text], [201, replies[0]?.text])
  const byId = { 'idempotency-key': 'by-id' }
  const first = await owner.post(`/tasks/${made.id}/comments`, { body: 'Once' }, byId)
  const again = await owner.post(`/tasks/${made.id.toUpperCase()}/comments`, { body: 'Once' }, byId)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await owner.get('/tasks/WEB-1/comments')).body.data.length, 2)
  assertRefused(await owner.post('/tasks/WEB-2/comments', { body: 'Once' }, { 'idempotency-key': 'spelled' }), 409)
})

test('an action without a body and with an empty object is the same request under one Idempotency-Key', async () => {
  const { owner, project, task, subtask } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  await owner.post('/timer/start', { taskId })
  const { id } = await subtask(taskId)
  for (const path of ['/timer/stop', `/subtasks/${id}/finalize`, `/subtasks/${id}/reopen`]) {
    const key = { 'idempotency-key': path }
    const first = await owner.post(path, undefined, key)
    const again = await owner.post(path, {}, key)
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text], path)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
})

test('a date-time can have lower-case letters, and means the same', async () => {
  const { owner, project, task } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const times = { startedAt: '2026-01-31t09:30:00z', endedAt: '2026-01-31T10:30:00+00:00' }
  const { startedAt } = await created(owner.post('/time-entries', { taskId, ...times }))
  assert.equal(startedAt, '2026-01-31T09:30:00.000Z')
  const { status, body } = await owner.get('/time-entries?startedAfter=2026-01-31t10:30:00%2b01:00')
  assert.deepEqual([status, body.data.length], [200, 1])
})

test('a + that is not encoded in a query gets one message, which says what to write instead', async () => {
  const { owner } = await newWorld()
  for (const path of [
    '/time-entries?startedAfter=',
    '/tasks?updatedAfter=',
    '/events?since=',
    '/audit?createdAfter=',
  ]) {
    const reply = await owner.get(`${path}2026-01-31T09:30:00+01:00`)
    const [field = ''] = invalidFields(reply)
    const messages = reply.body.details.fieldErrors[field]
    assert.deepEqual(
      messages,
      ['Encode the + of the offset as %2B in a query, such as 2026-01-31T09:30:00%2B01:00'],
      path,
    )
  }
  const { body } = await owner.get('/tasks?updatedAfter=lately')
  assert.equal(body.details.fieldErrors.updatedAfter.length, 1)
})

test('a type that the audit never has gets 422', async () => {
  const { owner } = await newWorld()
  for (const type of [
    'task.created',
    'comment.updated',
    'time_entry.*,task.moved',
    'nothing',
    'task.flown',
    'order.*',
  ]) {
    assert.deepEqual(invalidFields(await owner.get(`/audit?type=${type}`)), ['type'], type)
  }
  for (const type of ['task.deleted', 'task.*', 'api_key.*', 'member.updated,tag.restored']) {
    assert.equal((await owner.get(`/audit?type=${type}`)).status, 200, type)
  }
})
