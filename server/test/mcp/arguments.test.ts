import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

async function scene() {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  await world.tag({ name: 'b' })
  await world.tag({ name: 'c, d' })
  await world.task({ projectId: project.id, name: 'Fix the login' })
  const { client, call } = await connectAgent(server.base, world.owner.key)
  const { tools } = await client.listTools()
  const accepted = async (name: string, input: Record<string, unknown>) => {
    const { text, refused } = await call(name, input)
    assert.ok(!refused, `${name} ${JSON.stringify(input)}: ${text}`)
    return text
  }
  const read = async (include = '') => (await world.owner.get(`/tasks/WEB-1${include}`)).body
  return { world, tools, call, accepted, read }
}

const required: Record<string, Record<string, unknown>> = {
  read_task: { task: 'WEB-1' },
  report: { of: 'time', groupBy: ['project'] },
  create_task: { project: 'WEB', name: 'Another one' },
  edit_task: { task: 'WEB-1', priority: 'high' },
  move_task: { task: 'WEB-1' },
  add_comment: { task: 'WEB-1', body: 'Seen' },
  add_subtasks: { task: 'WEB-1', names: ['A step'] },
  set_subtasks: { task: 'WEB-1', subtasks: ['1'], state: 'finalized' },
  log_time: { task: 'WEB-1', duration: '1h' },
  set_timer: { action: 'start', task: 'WEB-1' },
}

test('every tool treats an empty text, null or a list of empty texts as a missing optional argument', async () => {
  for (const empty of ['', '  ', null, ['']]) {
    const { tools, accepted } = await scene()
    for (const { name, inputSchema } of tools) {
      const given = required[name] ?? {}
      const others = Object.keys(inputSchema.properties ?? {}).filter((argument) => !(argument in given))
      await accepted(name, { ...given, ...Object.fromEntries(others.map((argument) => [argument, empty])) })
    }
  }
})

test('a missing argument changes nothing, and clear empties the fields that it names', async () => {
  const { world, accepted, read } = await scene()
  const { id: tagId } = (await world.owner.get('/tags?q=b')).body.data[0]
  await world.owner.patch('/tasks/WEB-1', {
    ...{ description: 'Long', dueDate: '2026-01-31', startDate: '2026-01-01', estimateSeconds: 3_600, tagIds: [tagId] },
  })
  await accepted('edit_task', { task: 'WEB-1', name: 'New', description: '', dueDate: '', estimate: '', tags: [''] })
  const kept = await read()
  assert.deepEqual(
    [kept.description, kept.dueDate, kept.estimateSeconds, kept.tagIds],
    ['Long', '2026-01-31', 3_600, [tagId]],
  )
  const clear = ['description', 'dueDate', 'startDate', 'estimate', 'type']
  assert.match(await accepted('edit_task', { task: 'WEB-1', clear, tags: [] }), /tags, description|description/)
  const emptied = await read()
  const { description, dueDate, startDate, estimateSeconds, typeId, tagIds } = emptied
  assert.deepEqual(
    [description, dueDate, startDate, estimateSeconds, typeId, tagIds],
    [null, null, null, null, null, []],
  )
})

test('numbers, lists and booleans that models send as text are accepted, and so are numbers for text and one name for a list', async () => {
  const { world, accepted, read } = await scene()
  await accepted('add_subtasks', { task: 'WEB-1', names: '["One", "Two", "Three"]' })
  await accepted('set_subtasks', { task: 'WEB-1', subtasks: [1, '2'], state: 'Finalized' })
  await accepted('set_subtasks', { task: 'WEB-1', subtasks: 3, state: 'finalized' })
  const steps = (await world.owner.get('/tasks/WEB-1/subtasks')).body.data
  assert.ok(steps.every(({ finalizedAt }: { finalizedAt: string | null }) => finalizedAt !== null))
  const { version } = await read()
  await accepted('edit_task', { task: 'WEB-1', version: `${version}`, tags: 'c, d', priority: 'HIGH' })
  const { tags, priority } = await read('?include=tags')
  assert.deepEqual([tags.map(({ name }: { name: string }) => name), priority], [['c, d'], 'high'])
  await accepted('log_time', { task: 'WEB-1', duration: '1h', billable: 'true', tags: '["b"]' })
  assert.equal((await world.owner.get('/time-entries')).body.data[0].billable, true)
  assert.match(await accepted('find_tasks', { project: 'WEB', limit: '1', status: 'All' }), /WEB-1/)
  for (const groupBy of ['project,billable', 'project, billable', ['project,billable']])
    assert.match(await accepted('report', { of: 'time', groupBy }), /Web site \| .*: 1h/)
  await accepted('create_task', { project: 'WEB', name: 'Another one' })
  for (const task of ['WEB-1, WEB-2', ['WEB-1', 'WEB-2'], '["WEB-1","WEB-2"]'])
    assert.match(await accepted('read_task', { task }), /WEB-1.*WEB-2/s)
  assert.match(await accepted('list_changes', { kinds: '["task"]', limit: ' 2 ' }), /^Changes \(now/)
  for (const kinds of ['Subtask,time_entry', ['subtask, time_entry']])
    assert.match(await accepted('list_changes', { kinds }), /time_entry\.created.*subtask\.created/s)
  await world.owner.patch('/tasks/WEB-1', { description: 'Long', dueDate: '2026-01-31' })
  await accepted('edit_task', { task: 'WEB-1', clear: 'description, dueDate' })
  const { description, dueDate } = await read()
  assert.deepEqual([description, dueDate], [null, null])
})

test('an argument of another type is refused by its name', async () => {
  const { call } = await scene()
  for (const [name, input, line] of [
    ['read_task', { task: 'WEB-1', page: 'two' }, /- page: /],
    ['log_time', { task: 'WEB-1', duration: '1h', billable: 'maybe' }, /- billable: /],
    ['add_subtasks', { task: 'WEB-1', names: [{ name: 'One' }] }, /- names\.0: /],
    ['edit_task', { task: { key: 'WEB-1' } }, /- task\.0: /],
  ] as const) {
    const { text, refused } = await call(name, input)
    assert.ok(refused, text)
    assert.match(text, line)
  }
})
