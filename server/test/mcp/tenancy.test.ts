import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allTools } from '../../src/mcp/all-tools.ts'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()

/** Calls of every tool that name all that a stranger may guess. */
const calls: Record<string, Record<string, unknown>[]> = {
  find_tasks: [{ query: 'secret', status: 'all' }, { project: 'WEB' }, { project: 'Web site', stage: 'Backlog' }],
  read_task: [undefined, 'description', 'comments', 'time', 'history'].map((part) => ({ task: 'WEB-1', part })),
  list_projects: [{}, { project: 'WEB' }, { query: 'web' }],
  list_members: [{ project: 'WEB' }],
  list_time: [{ member: 'all' }, { project: 'WEB' }],
  report: [
    { of: 'time', groupBy: ['project', 'task'] },
    { of: 'tasks', groupBy: ['project', 'stage'] },
    { of: 'time', groupBy: ['task'], project: 'WEB' },
  ],
  list_changes: [
    { kinds: ['task', 'subtask', 'comment', 'time_entry', 'project'] },
    { project: 'WEB' },
    { task: 'WEB-1' },
  ],
  create_task: [{ project: 'WEB', name: 'Mine' }],
  edit_task: [{ task: 'WEB-1', name: 'Mine' }],
  move_task: [{ task: 'WEB-1', stage: 'Done' }],
  add_comment: [{ task: 'WEB-1', body: 'Mine' }],
  add_subtasks: [{ task: 'WEB-1', names: ['Mine'] }],
  set_subtasks: [{ task: 'WEB-1', subtasks: ['all'], state: 'finalized' }],
  log_time: [
    { task: 'WEB-1', duration: '1h' },
    { task: 'WEB-1', subtask: '1', duration: '1h' },
  ],
  set_timer: [{ action: 'start', task: 'WEB-1' }],
}

async function secretWork(world: World) {
  const { project } = await webProject(world)
  const task = await world.task({ projectId: project.id, name: 'A secret task', description: 'A secret text' })
  await world.subtask(task.id, { name: 'A secret step' })
  await world.owner.post(`/tasks/${task.id}/comments`, { body: 'A secret word' })
  const entry = await world.timeEntry({ taskId: task.id, description: 'A secret hour' })
  return { project, task, entry }
}

const showsIt = /secret|Web site|WEB|Sprint|Backlog/i

const strangers = {
  'of another organization': async () => (await server.newWorld()).owner,
  'who is not a member of the project': async (world: World) => world.member,
}
for (const [who, agentOf] of Object.entries(strangers)) {
  test(`no tool shows or changes anything for an agent of somebody ${who}`, async () => {
    const world = await server.newWorld()
    const { task, entry } = await secretWork(world)
    const before = (await world.owner.get('/events/head')).body.latest
    const { call } = await connectAgent(server.base, (await agentOf(world)).key)
    assert.deepEqual(Object.keys(calls).toSorted(), allTools.map(({ name }) => name).toSorted())
    for (const [name, inputs] of Object.entries(calls)) {
      for (const input of inputs) {
        const { text, refused } = await call(name, input)
        const seen = `${name} ${JSON.stringify(input)}: ${text}`
        // what was asked for is said back
        assert.doesNotMatch(text.replaceAll(/"[^"]*"|the task WEB-1/g, ''), showsIt, seen)
        assert.equal(refused, 'task' in input || 'project' in input, seen)
      }
    }
    const byId = [
      await call('read_task', { task: task.id }),
      await call('edit_task', { task: task.id, name: 'Mine' }),
      await call('log_time', { entry: entry.id, duration: '5h' }),
    ]
    for (const { refused, text } of byId) assert.ok(refused && /^Not found/.test(text), text)
    assert.equal((await world.owner.get('/events/head')).body.latest, before)
  })
}

test('a member reads what REST lets them read, and is refused what REST refuses', async () => {
  const world = await server.newWorld()
  const { project } = await secretWork(world)
  await world.addToProject(project.id, world.member, 'viewer')
  const { call } = await connectAgent(server.base, world.member.key)
  assert.match((await call('read_task', { task: 'WEB-1' })).text, /A secret text/)
  const before = (await world.owner.get('/events/head')).body.latest
  for (const { name, writes } of allTools) {
    if (writes.length === 0) continue
    const { refused, text } = await call(name, calls[name]?.[0])
    assert.ok(refused && /role contributor/.test(text), `${name}: ${text}`)
  }
  assert.equal((await world.owner.get('/events/head')).body.latest, before)
  await world.owner.delete(`/projects/${project.id}/members/${world.member.memberId}`)
  assert.match((await call('read_task', { task: 'WEB-1' })).text, /^Not found/)
})
