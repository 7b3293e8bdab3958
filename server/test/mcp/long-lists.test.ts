import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

async function agentOfWeb() {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const task = await world.task({ projectId: project.id })
  const { call } = await connectAgent(server.base, world.owner.key)
  return { world, project, task, call }
}

test('an agent reaches every subtask of a long task, and is told how many are open', async () => {
  const { world, task, call } = await agentOfWeb()
  const named = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({
      ...{ method: 'POST', path: `/tasks/${task.id}/subtasks` },
      body: { name: `Step ${from + i + 1}.` },
    }))
  for (const operations of [named(0, 100), named(100, 110)]) {
    assert.equal((await world.owner.post('/bulk', { operations })).status, 200)
  }
  assert.match(
    (await call('log_time', { task: 'WEB-1', subtask: '110', duration: '1h' })).text,
    /^Logged 1h on WEB-1, Step 110\./,
  )
  const some = await call('set_subtasks', { task: 'WEB-1', subtasks: ['Step 105.', '106'], state: 'finalized' })
  assert.match(some.text, /^Finalized: Step 105\., Step 106\.\n108 subtasks of WEB-1 left open\.$/)
  const all = await call('set_subtasks', { task: 'WEB-1', subtasks: ['all'], state: 'finalized' })
  assert.ok(all.refused)
  assert.match(all.text, /subtasks: 108 would change, and one call can change 100/)
  const open = await world.owner.get(`/subtasks?taskId=${task.id}&finalized=false&limit=100`)
  assert.notEqual(open.body.pagination.nextCursor, null)
})

test('an agent finds every board of a project, and is told to name one before it looks through many', async () => {
  const { world, project, call } = await agentOfWeb()
  for (let n = 10; n < 20; n++) {
    await world.workspace({ name: `Board ${n}`, projectId: project.id, stages: [`Stage ${n}`] })
  }
  assert.match((await call('move_task', { task: 'WEB-1', board: 'Board 19', stage: 'Stage 19' })).text, /to Stage 19/)
  assert.match((await call('create_task', { project: 'WEB', name: 'Two', board: 'Board 18' })).text, /Stage 18$/)
  const created = await call('create_task', { project: 'WEB', name: 'Three', stage: 'Stage 18' })
  assert.match(created.text, /^stage: There are 11 boards\. Also give the board: .*Board 19/)
  const found = await call('find_tasks', { project: 'WEB', stage: 'Stage 18' })
  assert.match(found.text, /^stage: There are 11 boards, too many to look through\. Give status instead/)
  assert.match((await call('list_projects', { project: 'WEB' })).text, /^Further boards: .*Board 19/m)
})

test('the key of a project names it, however many names contain the key', async () => {
  const { world, call } = await agentOfWeb()
  for (let n = 0; n < 21; n++) await world.project({ name: `Web ${n}`, key: `P${n}` })
  assert.match((await call('find_tasks', { project: 'web' })).text, /^WEB-1 /)
})
