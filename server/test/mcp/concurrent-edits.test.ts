import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, type Told, webProject } from '../support/agent.ts'
import { rounds } from '../support/rounds.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()
const edits = rounds(10, 50)

async function twoAgents() {
  const world = await server.newWorld()
  const { project, ...places } = await webProject(world)
  for (const name of ['b', 'c', 'd', 'e', 'f', 'g']) await world.owner.post('/tags', { name })
  await world.task({ projectId: project.id, name: 'Fix the login' })
  const one = await connectAgent(server.base, world.owner.key)
  const other = await connectAgent(server.base, world.admin.key)
  const read = async () => (await world.owner.get('/tasks/WEB-1?include=tags,assignees,stage')).body
  const namesOf = async (field: string) =>
    (await read())[field].map(({ name }: { name: string }) => name).toSorted() as string[]
  return { world, project, ...places, one, other, read, namesOf }
}

function accepted(...answers: Told[]): void {
  for (const { text, refused } of answers) assert.ok(!refused, text)
}

test('two agents that add and remove tags at once lose none of them', async () => {
  const { one, other, namesOf } = await twoAgents()
  for (let round = 0; round < edits; round++) {
    for (const [mark, expected] of [
      ['+', ['b', 'c']],
      ['-', []],
    ] as const) {
      const answers = await Promise.all([
        one.call('edit_task', { task: 'WEB-1', tags: [`${mark}b`] }),
        other.call('edit_task', { task: 'WEB-1', tags: [`${mark}c`] }),
      ])
      accepted(...answers)
      assert.deepEqual(await namesOf('tags'), expected, `round ${round}`)
    }
  }
})

test('two agents that add assignees at once lose none of them, with an idempotencyKey and without', async () => {
  const { one, other, world, namesOf } = await twoAgents()
  for (let round = 0; round < edits / 2; round++) {
    const keys = round % 2 === 0 ? [{}, {}] : [{ idempotencyKey: `one ${round}` }, { idempotencyKey: `other ${round}` }]
    const answers = await Promise.all([
      one.call('edit_task', { task: 'WEB-1', assignees: ['+Olivia Owner'], ...keys[0] }),
      other.call('edit_task', { task: 'WEB-1', assignees: ['+Adam Admin'], ...keys[1] }),
    ])
    accepted(...answers)
    assert.equal((await namesOf('assignees')).length, 2, `round ${round}`)
    await world.owner.patch('/tasks/WEB-1', { assigneeIds: [] })
  }
})

test('six calls that each add a tag all take effect', async () => {
  const { one, other, namesOf } = await twoAgents()
  const names = ['b', 'c', 'd', 'e', 'f', 'g']
  accepted(
    ...(await Promise.all(
      names.map((name, i) => (i % 2 === 0 ? one : other).call('edit_task', { task: 'WEB-1', tags: [`+${name}`] })),
    )),
  )
  assert.deepEqual(await namesOf('tags'), names)
})

test('a repeated call with an idempotencyKey adds nothing again, even if it was retried the first time', async () => {
  const { one, other, world, namesOf } = await twoAgents()
  const inputs = ['b', 'c', 'd'].map((name) => ({ task: 'WEB-1', tags: [`+${name}`], idempotencyKey: name }))
  accepted(...(await Promise.all(inputs.map((input, i) => [one, other, one][i]?.call('edit_task', input) as never))))
  await world.owner.patch('/tasks/WEB-1', { tagIds: [] })
  const again = await Promise.all(inputs.map((input, i) => [one, other, one][i]?.call('edit_task', input) as never))
  for (const { text } of again as Told[]) assert.match(text, /nothing was done again/)
  assert.deepEqual(await namesOf('tags'), [])
})

test('an update with an old version changes nothing, even if it only adds', async () => {
  const { one, world, namesOf, read } = await twoAgents()
  const { version } = await read()
  await world.owner.patch('/tasks/WEB-1', { priority: 'high' })
  for (const change of [{ tags: ['+b'] }, { name: 'Ours' }]) {
    const { text, refused } = await one.call('edit_task', { task: 'WEB-1', version, ...change })
    assert.ok(refused)
    assert.match(text, /Read the task again/)
  }
  assert.deepEqual(await namesOf('tags'), [])
  accepted(await one.call('edit_task', { task: 'WEB-1', version: version + 1, tags: ['+b'] }))
})

test('a task moves to a stage of the board that it is on at that time, not of the one that it just left', async () => {
  const { other, world, project, board } = await twoAgents()
  const second = await world.workspace({ name: 'Later', projectId: project.id, stages: ['Backlog', 'Doing'] })
  await world.owner.post('/tasks/WEB-1/move', { workspaceId: board.id })
  for (let round = 0; round < 20; round++) {
    const to = round % 2 === 0 ? second : board
    const [, told] = await Promise.all([
      world.owner.post('/tasks/WEB-1/move', { workspaceId: to.id }),
      other.call('move_task', { task: 'WEB-1', stage: round % 3 === 0 ? 'Backlog' : 'Doing' }),
    ])
    accepted(told)
  }
  const { data } = (await world.owner.get('/tasks/WEB-1/history?limit=100')).body
  type Moved = { actor: { memberId: string }; changes: Record<string, unknown> }
  const byAgent = (data as Moved[]).filter(({ actor }) => actor.memberId === world.admin.memberId)
  assert.ok(byAgent.length > 0)
  for (const { changes } of byAgent) assert.equal(changes.workspaceId, undefined, JSON.stringify(changes))
})
