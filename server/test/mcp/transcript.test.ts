import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { connectAgent, eras, webProject } from '../support/agent.ts'
import { sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()

/** A team in the middle of its work, whose yesterday has a history. */
async function team() {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const ann = await world.join('Ann Example', 'member')
  await world.addToProject(project.id, ann)
  await world.addToProject(project.id, world.member)
  await world.taskType({ name: 'Bug' })
  await world.tag({ name: 'urgent' })
  for (const name of ['Choose a host', 'Write the imprint', 'Fix the login', 'Order the menu', 'Paint the logo'])
    await world.task({ projectId: project.id, name, assigneeIds: [ann.memberId] })
  for (const name of ['Reproduce it', 'Fix it'])
    await world.subtask((await world.owner.get('/tasks/WEB-3')).body.id, { name })
  return { world, ann }
}

type Step = [tool: string, input: Record<string, unknown>, shows: RegExp]

/** What people say to an agent, the calls that it takes, and what these show. */
const transcript: { said: string; steps: Step[]; afterwards?: (world: World) => Promise<void> }[] = [
  {
    said: 'What is Ann working on?',
    steps: [['find_tasks', { assignee: 'Ann' }, /WEB-5 Paint the logo · Ann Example\n(.*\n)*WEB-1 Choose a host/]],
  },
  {
    said: 'Make a bug in WEB: the form loses input, urgent, for Ann, with these three subtasks',
    steps: [
      [
        'create_task',
        {
          ...{ project: 'WEB', name: 'The form loses input', type: 'bug', priority: 'urgent', assignees: ['Ann'] },
          ...{ tags: ['urgent'], subtasks: ['Reproduce', 'Fix', 'Tell the customer'] },
        },
        /Created WEB-6 The form loses input · Backlog\nCreated 3 subtasks/,
      ],
    ],
  },
  {
    said: 'Close WEB-3 after its last subtask',
    steps: [
      ['set_subtasks', { task: 'WEB-3', subtasks: ['all'], state: 'finalized' }, /0 subtasks of WEB-3 left open/],
      ['move_task', { task: 'WEB-3', stage: 'done' }, /to Done · completed/],
    ],
    async afterwards({ owner }) {
      assert.ok((await owner.get('/tasks/WEB-3')).body.completedAt)
    },
  },
  {
    said: 'Log 2 hours on the imprint, from nine this morning',
    steps: [
      ['find_tasks', { query: 'imprint' }, /^WEB-2 Write the imprint/],
      ['log_time', { task: 'WEB-2', duration: '2h', start: '2026-01-31T09:00' }, /Logged 2h on WEB-2.*09:00–11:00/],
    ],
  },
  {
    said: 'Oh, it was only ninety minutes',
    steps: [
      ['list_time', { since: '2026-01-31', before: '2026-02-01' }, /2h · Olivia Owner · WEB-2/],
      ['log_time', { entry: '{entry}', duration: '1h 30m' }, /Corrected 1h 30m/],
    ],
  },
  {
    said: 'What happened in WEB since yesterday?',
    steps: [
      [
        'list_changes',
        { project: 'WEB', since: '24h' },
        /Olivia Owner: task\.moved WEB-3 Fix the login: .*stage none → Done/,
      ],
    ],
  },
  {
    said: 'Tell me all about WEB-6, and leave a note that I looked',
    steps: [
      ['read_task', { task: 'web-6' }, /assigned to Ann Example · type Bug · priority urgent · tags urgent/],
      ['add_comment', { task: 'WEB-6', body: 'Looked at it.' }, /Commented on WEB-6/],
    ],
  },
  {
    said: 'Give WEB-6 to Mia as well, due on Friday',
    steps: [
      [
        'edit_task',
        { task: 'WEB-6', assignees: ['+Mia'], dueDate: '2099-02-06' },
        /Edited WEB-6.*: dueDate, assignees/,
      ],
    ],
  },
  {
    said: 'Start my timer on it, and stop it',
    steps: [
      ['set_timer', { action: 'start', task: 'WEB-6' }, /Started on WEB-6/],
      ['set_timer', { action: 'stop' }, /Stopped after/],
    ],
  },
  {
    said: 'How does the team stand, and who worked how long?',
    steps: [
      ['report', { of: 'tasks', groupBy: ['assignee', 'stage'], project: 'WEB' }, /Total: 5 open, 1 completed/],
      [
        'report',
        { of: 'time', groupBy: ['member', 'task'], project: 'WEB' },
        /Olivia Owner \| WEB-2 Write the imprint: 1h 30m/,
      ],
    ],
  },
]

const mostCalls = 16
const mostTokens = 1_500

for (const era of eras) {
  test(`ten things that people ask of an agent take at most ${mostCalls} calls and ${mostTokens} tokens (o200k_base), by ${era}`, async () => {
    const { world } = await team()
    const { call } = await connectAgent(server.base, world.owner.key, { era })
    assert.equal(transcript.length, 10)
    let [calls, tokens, entry] = [0, 0, '']
    for (const { said, steps, afterwards } of transcript) {
      for (const [tool, input, shows] of steps) {
        const asked = input.entry === undefined ? input : { ...input, entry }
        const { text, refused } = await call(tool, asked)
        assert.ok(!refused, `${said}: ${text}`)
        assert.match(text, shows, said)
        entry = /([0-9a-f]{8}-[0-9a-f-]{27})$/m.exec(text)?.[1] ?? entry
        calls++
        tokens += encode(JSON.stringify({ tool, ...asked })).length + encode(text).length
      }
      await afterwards?.(world)
    }
    assert.ok(calls <= mostCalls, `${calls} calls`)
    assert.ok(tokens <= mostTokens, `${tokens} tokens`)
  })
}
