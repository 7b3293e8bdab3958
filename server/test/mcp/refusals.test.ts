import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

async function scene() {
  const world = await server.newWorld()
  const { project, stages } = await webProject(world)
  await world.task({ projectId: project.id, name: 'Fix the login' })
  const { call } = await connectAgent(server.base, world.owner.key)
  const refusal = async (name: string, input: object) => {
    const { refused, text } = await call(name, { ...input })
    assert.ok(refused, text)
    return text
  }
  return { world, project, stages, call, refusal }
}

test('wrong arguments are refused by their names, each with its rule, before anything is done', async () => {
  const { refusal } = await scene()
  const text = await refusal('create_task', { project: 'WEB', priority: 'huge', colour: 'red' })
  assert.match(text, /^Wrong arguments\. Correct them and call again\.\n/)
  assert.match(text, /- Unknown argument: colour/)
  assert.match(text, /- name: Required/)
  assert.match(text, /- priority: Must be one of none, low, medium, high, urgent/)
  const names = await refusal('add_subtasks', { task: 'WEB-1', names: Array(51).fill('Once more') })
  assert.match(names, /- names: Must have at most 50 items/)
})

test("an operation's refusal of a field names the argument that it came from", async () => {
  const { refusal } = await scene()
  assert.match(await refusal('create_task', { project: 'WEB', name: ' ' }), /- name: Must have at least 1 character/)
  assert.match(
    await refusal('edit_task', { task: 'WEB-1', dueDate: 'soon' }),
    /- dueDate: Must be a date such as 2026-01-31, or today/,
  )
  assert.match(
    await refusal('find_tasks', { updatedSince: 'lately' }),
    /- updatedSince: Must be a time such as .*yesterday/,
  )
  assert.match(await refusal('log_time', { task: 'WEB-1', start: 'today', end: 'later' }), /- end: Must be/)
  assert.match(await refusal('report', { of: 'time', groupBy: ['mood'] }), /- groupBy: Must be at most 3 of project/)
  const rule = await refusal('edit_task', { task: 'WEB-1', startDate: '2026-02-01', dueDate: '2026-01-01' })
  assert.match(rule, /- .*[Mm]ust not be before/)
  assert.doesNotMatch(rule, /operations/)
})

test('an ambiguous name is refused with the candidates, an unknown one with the existing names', async () => {
  const { world, refusal, call } = await scene()
  for (const name of ['Ann Example', 'Ann Other', 'Bob']) await world.join(name, 'member')
  const several = await refusal('find_tasks', { assignee: 'ann' })
  assert.match(several, /^assignee: "ann" matches several\. Choose one: Ann Example <.*>, Ann Other <.*>\.$/)
  assert.match(
    await refusal('find_tasks', { assignee: 'Zoe' }),
    /^assignee: There is no member "Zoe"\. The members: Adam Admin </,
  )
  assert.match(
    await refusal('find_tasks', { tag: 'x' }),
    /^tag: There is no tag "x"\. There are no tags that you can see\.$/,
  )
  assert.match(await refusal('move_task', { task: 'WEB-1', stage: 'Nowhere' }), /The stages: Backlog, Doing, Done\./)
  assert.match(await refusal('create_task', { project: 'APP', name: 'x' }), /The projects: WEB \(Web site\)\.$/)
  assert.match(
    await refusal('read_task', { task: 'the login' }),
    /^task: "the" is not a task key such as WEB-12\. Find the key with find_tasks/,
  )
  // what fits one is taken, in any case
  for (const assignee of ['ann example', 'other', 'BOB']) assert.ok(!(await call('find_tasks', { assignee })).refused)
})

test('a refusal by a domain rule says what to do next', async () => {
  const { world, stages, refusal, call } = await scene()
  await world.owner.patch(`/stages/${stages.doing.id}`, { wipLimit: 1 })
  await call('create_task', { project: 'WEB', name: 'Second', stage: 'Doing' })
  assert.match(
    await refusal('move_task', { task: 'WEB-1', stage: 'Doing' }),
    /its wipLimit is 1; .*\. Choose another stage/,
  )
  await call('edit_task', { task: 'WEB-1', name: 'Third' })
  assert.match(await refusal('edit_task', { task: 'WEB-1', name: 'x', version: 1 }), /Read the task again/)
  await call('add_subtasks', { task: 'WEB-1', names: ['a step'] })
  await call('set_subtasks', { task: 'WEB-1', subtasks: ['1'], state: 'finalized' })
  assert.match(
    await refusal('log_time', { task: 'WEB-1', subtask: '1', duration: '1h' }),
    /Reopen it with set_subtasks/,
  )
  await world.owner.post('/projects/WEB/archive')
  assert.match(await refusal('add_comment', { task: 'WEB-1', body: 'x' }), /A lead of the project must unarchive it/)
})

test('a caller who lacks a role is told not to try again', async () => {
  const { world, project } = await scene()
  await world.addToProject(project.id, world.member, 'viewer')
  const { call } = await connectAgent(server.base, world.member.key)
  const { refused, text } = await call('add_comment', { task: 'WEB-1', body: 'x' })
  assert.ok(refused)
  assert.match(text, /needs the role contributor in the project\. Do not try again/)
})

test("a refusal names the tool's argument, whatever field the value went to, and says what it accepts", async () => {
  const { refusal, world } = await scene()
  await world.tag({ name: 'b' })
  await world.owner.post('/timer/start', { taskId: (await world.owner.get('/tasks/WEB-1')).body.id })
  for (const [tool, input, start] of [
    [
      'edit_task',
      { task: 'WEB-1', assignees: ['+Zoe'] },
      /^assignees: There is no member "Zoe"\. The members: Adam Admin/,
    ],
    ['edit_task', { task: 'WEB-1', tags: ['-x'] }, /^tags: There is no tag "x"\. The tags: b\.$/],
    ['edit_task', { task: 'WEB-1', estimate: 'long' }, /- estimate: Must be a duration such as 2h 30m/],
    ['add_subtasks', { task: 'WEB-1', names: ['One', ' '] }, /- names\.1: /],
    ['add_subtasks', { task: 'WEB-1', names: ['One'], assignee: 'Zoe' }, /^assignee: There is no member "Zoe"/],
    ['create_task', { project: 'WEB', name: 'One', subtasks: ['One', ' '] }, /- subtasks\.1: /],
    ['move_task', { task: 'WEB-1', before: 'nope' }, /^before: "nope" is not a task key such as WEB-12/],
    ['log_time', { task: 'WEB-1', duration: 'ages' }, /- duration: Must be a duration/],
    ['log_time', { task: 'WEB-1', duration: '1h', start: 'whenever' }, /- start: Must be a time such as/],
    ['log_time', { task: 'WEB-1', duration: '1h', tags: ['x'] }, /^tags: There is no tag "x"/],
    [
      'log_time',
      { task: 'WEB-1', start: '2026-01-31T10:00', end: '2026-01-31T09:00' },
      /- end: Must not be before start$/,
    ],
    ['set_timer', { action: 'stop', end: '2026-01-31T10:00' }, /- end: Must not be before start$/],
    ['set_subtasks', { task: 'WEB-1', subtasks: ['9'], state: 'open' }, /^subtasks: "9" matches none of them/],
    ['list_changes', { since: 'forever' }, /- since: Must be a time such as/],
    ['report', { of: 'time', groupBy: ['day'], before: 'soon' }, /- before: Must be a time such as/],
    ['find_tasks', { dueBefore: 'soon' }, /- dueBefore: Must be a date such as/],
  ] as const) {
    const text = await refusal(tool, input)
    assert.match(text, start)
    assert.doesNotMatch(text, /Id|startedAt|Seconds|operations/)
  }
})
