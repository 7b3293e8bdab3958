import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { looksAt } from '../../src/resources/events/feed.ts'
import { connectAgent, webProject } from '../support/agent.ts'
import { created, sharedServer } from '../support/world.ts'

const server = await sharedServer()

/** A task with a subtask, a comment, and time on both; beside another one. */
async function busyTask() {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const { owner } = world
  const [task, other] = [
    await world.task({ projectId: project.id, name: 'Fix the login' }),
    await world.task({ projectId: project.id, name: 'Order the menu' }),
  ]
  const subtask = await world.subtask(task.id, { name: 'Reproduce it' })
  await created(owner.post(`/tasks/${task.id}/comments`, { body: 'Seen it too' }))
  await created(owner.post(`/tasks/${other.id}/comments`, { body: 'Of the other one' }))
  const span = { startedAt: '2026-01-05T09:00:00Z', endedAt: '2026-01-05T10:30:00Z' }
  await created(owner.post('/time-entries', { taskId: task.id, ...span }))
  await created(owner.post('/time-entries', { subtaskId: subtask.id, ...span }))
  return { world, ...(await connectAgent(server.base, owner.key)) }
}

const nothing = /Nothing|No changes/

test("list_changes and a task's history show what happened to the task, its subtasks, comments and time", async () => {
  const { call } = await busyTask()
  for (const [tool, input] of [
    ['list_changes', { task: 'WEB-1' }],
    ['read_task', { task: 'WEB-1', part: 'history' }],
  ] as const) {
    const { text, refused } = await call(tool, input)
    assert.ok(!refused, text)
    for (const line of [
      /task\.created WEB-1 Fix the login/,
      /subtask\.created WEB-1 Reproduce it/,
      /comment\.created WEB-1 "Seen it too"/,
      /time_entry\.created WEB-1 1h 30m/,
      /time_entry\.created WEB-1, Reproduce it 1h 30m/,
    ])
      assert.match(text, line, tool)
    assert.doesNotMatch(text, /Of the other one|Order the menu/, tool)
  }
})

test('list_changes of one task shows only the requested kinds of changes', async () => {
  const { call } = await busyTask()
  const comments = await call('list_changes', { task: 'WEB-1', kinds: ['comment'] })
  assert.match(comments.text, /comment\.created WEB-1 "Seen it too"\nIn total: 1 comment\.created$/)
  const time = await call('list_changes', { task: 'WEB-1', kinds: ['time_entry'] })
  assert.match(time.text, /In total: 2 time_entry\.created$/)
  assert.match((await call('list_changes', { task: 'WEB-1', kinds: ['member'] })).text, nothing)
})

test('changes come newest first and summed up, or oldest first on request, each once by pages', async () => {
  const { call } = await busyTask()
  const linesOf = (text: string) => text.split('\n').filter((line) => /^\d{4}-/.test(line))
  const newest = await call('list_changes', {})
  const oldest = await call('list_changes', { order: 'oldest' })
  assert.deepEqual(linesOf(newest.text), linesOf(oldest.text).toReversed())
  assert.match(newest.text, /In total: (\d+ [a-z_]+\.[a-z]+, )+\d+ [a-z_]+\.[a-z]+$/)
  for (const order of ['newest', 'oldest']) {
    const lines: string[] = []
    for (let cursor: string | undefined = '-'; cursor !== undefined; ) {
      const { text } = await call('list_changes', { order, limit: 2, ...(cursor === '-' ? {} : { cursor }) })
      lines.push(...linesOf(text))
      // what is left unread is summed up with the first page
      if (cursor === '-') assert.match(text, /In total: .*2 comment\.created/)
      cursor = /with cursor (\S+)$/.exec(text)?.[1]
    }
    assert.deepEqual(lines, linesOf((order === 'newest' ? newest : oldest).text))
  }
})

test('list_changes finds few matches behind many other events, and says "No changes" only if there are none', async () => {
  const { world, call } = await busyTask()
  await server.db.rows(sql`
    with counted as (update event_counters set last_sequence = last_sequence + ${looksAt + 10} where org_id = ${world.orgId}
      returning last_sequence)
    insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
    select ${world.orgId}, counted.last_sequence - ${looksAt + 10} + i, 'organization.updated', 'test', ${world.orgId}, '{}',
      '{}', now()
    from counted, generate_series(1, ${looksAt + 10}) i`)
  for (const input of [{ kinds: ['comment'] }, { member: 'me', kinds: ['comment'] }]) {
    const { text } = await call('list_changes', input)
    assert.match(text, /comment\.created WEB-1 "Seen it too"/)
    assert.doesNotMatch(text, nothing)
  }
})
