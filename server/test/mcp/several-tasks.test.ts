import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

async function scene(count: number) {
  const world = await server.newWorld()
  const { project, board, stages } = await webProject(world)
  for (let i = 1; i <= count; i++) await world.task({ projectId: project.id, name: `Task ${i}` })
  const { call } = await connectAgent(server.base, world.owner.key)
  const read = async (key: string) => (await world.owner.get(`/tasks/${key}?include=stage`)).body
  return { world, board, stages, call, read }
}

const keys = (count: number) => Array.from({ length: count }, (_, i) => `WEB-${i + 1}`)

test('edit_task updates 20 tasks in one call and reports each of them, and refuses 21', async () => {
  const { call, read } = await scene(21)
  const refused = await call('edit_task', { task: keys(21), priority: 'high' })
  assert.ok(refused.refused)
  assert.match(refused.text, /task: Give at most 20 tasks/)
  assert.equal((await read('WEB-1')).priority, 'none')
  const { text, refused: failed } = await call('edit_task', { task: keys(20), priority: 'high' })
  assert.ok(!failed, text)
  const lines = text.split('\n')
  assert.equal(lines.length, 20)
  for (const [i, line] of lines.entries()) assert.match(line, new RegExp(`^Edited WEB-${i + 1} Task ${i + 1} `))
  assert.deepEqual(await Promise.all(keys(20).map(async (key) => (await read(key)).priority)), Array(20).fill('high'))
})

test('move_task moves 20 tasks in one call, in their order, and reports each of them', async () => {
  const { world, stages, call } = await scene(21)
  await call('move_task', { task: 'WEB-21', stage: 'Done' })
  const { text, refused } = await call('move_task', { task: keys(20), stage: 'Done', after: 'WEB-21' })
  assert.ok(!refused, text)
  assert.equal(text.match(/^Moved WEB-\d+ Task \d+ · to Done · completed$/gm)?.length, 20, text)
  const { data } = (await world.owner.get(`/tasks?stageId=${stages.done.id}&sort=position&limit=100`)).body
  assert.deepEqual(
    data.map(({ key }: { key: string }) => key),
    ['WEB-21', ...keys(20)],
  )
})

for (const [name, change, is] of [
  ['edit_task', { priority: 'high' }, (task: { priority: string }) => task.priority === 'high'],
  ['move_task', { stage: 'Doing' }, (task: { stage?: { name: string } }) => task.stage?.name === 'Doing'],
] as const) {
  test(`${name}: a refused task is reported by its key, and the others are changed`, async () => {
    const { call, read } = await scene(2)
    const { text, refused } = await call(name, { task: ['WEB-1', 'WEB-99', 'WEB-2'], ...change })
    assert.ok(!refused, text)
    const [first, second, third, ...more] = text.split('\n')
    assert.match(first ?? '', / WEB-1 /)
    assert.match(second ?? '', /^Not changed: WEB-99: Not found: the task WEB-99/)
    assert.match(third ?? '', / WEB-2 /)
    assert.deepEqual(more, [])
    for (const key of ['WEB-1', 'WEB-2']) assert.ok(is(await read(key)), key)
    const none = await call(name, { task: ['WEB-98', 'WEB-99'], ...change })
    assert.ok(none.refused)
    assert.match(none.text, /WEB-98: .*\n.*WEB-99: /)
  })

  test(`${name}: a call for several tasks that is sent again with its idempotencyKey changes none of them again`, async () => {
    const { world, call, read } = await scene(2)
    const input = { task: ['WEB-1', 'WEB-2'], ...change, idempotencyKey: 'both' }
    const first = await call(name, input)
    assert.doesNotMatch(first.text, /nothing was done again/)
    if (name === 'edit_task') await world.owner.patch('/tasks/WEB-2', { priority: 'low' })
    else await world.owner.post('/tasks/WEB-2/move', { workspaceId: null })
    const again = await call(name, input)
    assert.match(again.text, / WEB-1 .*\n.* WEB-2 /)
    assert.match(again.text, /nothing was done again/)
    assert.ok(is(await read('WEB-1')))
    assert.ok(!is(await read('WEB-2')))
  })
}

test('a version works with one task, not with several', async () => {
  const { call, read } = await scene(2)
  const { text, refused } = await call('edit_task', { task: ['WEB-1', 'WEB-2'], version: 1, name: 'Other' })
  assert.ok(refused)
  assert.match(text, /version: Give only one task/)
  assert.equal((await read('WEB-1')).name, 'Task 1')
})
