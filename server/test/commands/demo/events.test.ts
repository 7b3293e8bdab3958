import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarBefore, momentOf, workdays } from '../../../src/commands/demo/calendar.ts'
import { eventTypes } from '../../../src/resources/index.ts'
import { readFeed } from '../../support/feed.ts'
import { sharedServer } from '../../support/world.ts'
import { keyOf, seedingOf } from './seeding.ts'

const { db, api } = await sharedServer()
const { seeded, rowsAbout } = seedingOf(db)
const nowMs = Date.now()
const made = await seeded({ tasks: 400, nowMs })
const owner = api(keyOf(made, 'owner'))

interface Event {
  sequence: number
  type: string
  actor_id: string | null
  request_id: string
  resource_id: string
  changes: Record<string, { from: unknown; to: unknown }>
  snapshot: { id: string; version: number; createdAt: string; updatedAt: string; [field: string]: unknown }
  created_at: string
}

const events = await rowsAbout<Event>(made, 'select * from events where org_id = $1 order by sequence')
const histories = new Map<string, Event[]>()
for (const event of events) histories.set(event.resource_id, [...(histories.get(event.resource_id) ?? []), event])
const nounOf = ({ type }: Event) => type.split('.')[0] ?? ''

test('the log of a seeded organization has no gaps, and the next write continues it', async () => {
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, place) => 1 + place),
  )
  const { id } = (await owner.post('/tags', { name: 'One more' })).body
  const next = await rowsAbout<Event>(made, `select * from events where org_id = $1 and resource_id = '${id}'`)
  assert.deepEqual(
    next.map(({ sequence, type }) => [sequence, type]),
    [[1 + events.length, 'tag.created']],
  )
})

test('the feed shows all of the log, and shows the viewer of a small project what happened there', async () => {
  const last = events.at(-1)?.sequence ?? 0
  assert.equal((await owner.get('/events/head')).body.oldest, events[0]?.sequence)
  const feed = (await readFeed(owner, 'limit=100')).filter(({ sequence }) => sequence <= last)
  assert.deepEqual(
    feed.map(({ sequence, type, resource, snapshot }) => ({ sequence, type, id: resource.id, snapshot })),
    events.map(({ sequence, type, resource_id, snapshot }) => ({ sequence, type, id: resource_id, snapshot })),
  )
  const viewer = api(keyOf(made, 'viewer'))
  const [{ id: projectId }] = (await viewer.get('/projects')).body.data
  const seen = await readFeed(viewer, 'limit=100')
  assert.deepEqual(
    seen.filter((event) => event.projectId !== null),
    feed.filter((event) => event.projectId === projectId),
  )
  assert.ok(seen.some(({ type }) => type === 'task.moved'))
})

test('the log goes back 30 days and has events on each working day, in order of time', () => {
  const times = events.map(({ created_at }) => created_at)
  assert.deepEqual(times, times.toSorted())
  assert.ok((times[0] ?? '') > momentOf(nowMs - 30 * 86_400_000))
  assert.ok((times.at(-1) ?? '') <= momentOf(nowMs))
  const day = calendarBefore(nowMs)
  for (let workday = workdays - 20; workday < workdays; workday++) {
    const [from, to] = [momentOf(day(workday)), momentOf(day(workday) + 86_400_000)]
    assert.ok(
      times.some((time) => from < time && time < to),
      from,
    )
  }
})

test('the log has events of tasks, subtasks, time and comments: created, moved and finished', () => {
  assert.deepEqual([...new Set(events.map(({ type }) => type))].sort(), [
    ...['comment.created', 'subtask.created', 'subtask.finalized'],
    ...['task.created', 'task.moved', 'time_entry.created', 'time_entry.updated'],
  ])
  const completed = events.filter(({ changes }) => typeof changes.completedAt?.to === 'string')
  assert.ok(completed.length > 10)
  for (const { type, snapshot, created_at } of completed)
    assert.deepEqual([type, snapshot.completedAt], ['task.moved', created_at])
})

test('each seeded event has a known type and its snapshot', () => {
  for (const { type, snapshot } of events) {
    const known = eventTypes.find((known) => known.type === type) ?? assert.fail(type)
    assert.deepEqual(known.snapshot.safeParse(snapshot).error, undefined, type)
  }
})

const lists: Record<string, string> = { task: '/tasks?', time_entry: '/time-entries?' }
const single: Record<string, string> = { subtask: '/subtasks', comment: '/comments' }

test('the last snapshot of each resource equals what the API returns', async () => {
  const shown = new Map<string, object>()
  for (const path of Object.values(lists)) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await owner.get(`${path}limit=100${cursor && `&cursor=${cursor}`}`)
      for (const item of body.data) shown.set(item.id, item)
      cursor = body.pagination.nextCursor
    }
  }
  for (const [id, history] of histories) {
    const last = history.at(-1) ?? assert.fail()
    const path = single[nounOf(last)]
    const answer = path ? (await owner.get(`${path}/${id}`)).body : shown.get(id)
    assert.deepEqual(last.snapshot, answer)
  }
})

test('each event of a resource begins where the previous one ended, and has the differences', () => {
  for (const history of histories.values()) {
    for (const [place, { type, snapshot, changes, created_at }] of history.entries()) {
      assert.equal(snapshot.updatedAt, created_at)
      const before = history[place - 1]?.snapshot
      for (const [field, { from, to }] of Object.entries(changes)) {
        assert.deepEqual(snapshot[field], to)
        assert.notDeepEqual(from, to)
        if (before) assert.deepEqual(before[field], from)
      }
      if (type.endsWith('.created')) assert.deepEqual([snapshot.version, snapshot.createdAt], [1, created_at])
      else assert.ok(Object.keys(changes).length > 0)
      if (before) assert.equal(snapshot.version, before.version + 1)
    }
  }
})

test('the log has every change since it began', async () => {
  for (const table of ['tasks', 'subtasks', 'time_entries', 'comments']) {
    const missing = await rowsAbout(
      made,
      `select id from ${table} where org_id = $1 and updated_at >= '${events[0]?.created_at}'
        and not exists (select from events where events.org_id = $1 and resource_id = ${table}.id)`,
    )
    assert.deepEqual(missing, [], table)
  }
})

test('every actor in the log may do what they did', async () => {
  const strangers = await rowsAbout(
    made,
    `select sequence, type from events left join members on members.org_id = $1 and members.id = actor_id
     where events.org_id = $1 and coalesce(role, 'member') = 'member' and not exists (
       select from project_members where project_members.org_id = $1 and project_members.project_id = events.project_id
         and member_id = actor_id and project_members.role <> 'viewer')`,
  )
  assert.deepEqual(strangers, [])
  const ownTime = events.filter((event) => nounOf(event) === 'time_entry')
  assert.ok(ownTime.every(({ actor_id, snapshot }) => actor_id === snapshot.memberId))
})

test('the history of a seeded task matches the log, newest first', async () => {
  const [history] = [...histories.values()].toSorted((one, other) => other.length - one.length)
  assert.ok(history && history.length > 2)
  const { body } = await owner.get(`/tasks/${history[0]?.resource_id}/history?limit=100`)
  assert.deepEqual(
    body.data.map(({ sequence, type, actor, requestId, changes, createdAt }: Record<string, unknown>) => ({
      ...{ sequence, type, by: actor, requestId, changes, createdAt },
    })),
    history.toReversed().map(({ sequence, type, actor_id, request_id, changes, created_at }) => ({
      ...{ sequence, type, by: { memberId: actor_id, apiKeyId: null }, requestId: request_id, changes },
      createdAt: created_at,
    })),
  )
})
