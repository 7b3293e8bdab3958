import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { sharedServer } from '../../server/test/support/world.ts'
import { typingTo } from './support/typing.ts'

const server = await sharedServer()
const { PATH = '' } = process.env
const env = { PATH }
const skip = spawnSync('jq', ['--version']).status === 0 ? false : 'jq is not installed'

async function desk() {
  const world = await server.newWorld()
  const project = await world.project({ name: 'Web site', key: 'WEB' })
  return { ...world, project, tw: typingTo(server.base, world.owner.key) }
}

test('--jq passes the response through a filter', { skip }, async () => {
  const { tw, project, task, owner } = await desk()
  const tasks = Array.from({ length: 60 }, (_, i) => ({
    ...{ method: 'POST', path: '/tasks' },
    body: { projectId: project.id, name: `Task ${i + 1}`, description: 'x'.repeat(5_000) },
  }))
  await owner.post('/bulk', { operations: tasks })
  await task({ projectId: project.id, name: 'Red \u001b[31malert' })
  assert.deepEqual(await tw(['tasks', 'get', 'WEB-2', '--jq', '.name'], { env }), {
    code: 0,
    out: 'Task 2\n',
    err: '',
  })
  assert.equal((await tw(['tasks', 'list', '--limit', '3', '--jq', '.data | length'], { env })).out, '3\n')
  const all = await tw(['tasks', 'list', '--all', '--sort', 'createdAt', '--jq', 'select(.key != "WEB-61") | .name'], {
    env,
  })
  assert.equal(all.out, tasks.map(({ body }) => `${body.name}\n`).join(''))
  assert.equal((await tw(['api', 'GET', '/projects/WEB', '--jq', '.key'], { env })).out, 'WEB\n')
  assert.equal((await tw(['tasks', 'get', 'WEB-61', '--jq=-1'], { env })).out, '-1\n')
  // a terminal is shown what it would obey; a program is given the text
  const name = ['tasks', 'get', 'WEB-61', '--jq', '.name']
  assert.equal((await tw(name, { env })).out, 'Red \u001b[31malert\n')
  assert.equal((await tw(name, { env, columns: 80 })).out, 'Red \\u001b[31malert\n')
})

test('an error of jq is shown in its words and by its exit code, before anything is written', { skip }, async () => {
  const { tw } = await desk()
  const odd = await tw(['tags', 'create', '--name', 'Urgent', '--jq', '.name ||'], { env })
  assert.deepEqual([odd.code, odd.out], [3, ''])
  assert.match(odd.err, /^jq: error: syntax error/)
  assert.equal((await tw(['tags', 'list', '--jq', '.total'], { env })).out, '0\n')
  const failed = await tw(['tags', 'list', '--jq', '.data + 1'], { env })
  assert.deepEqual([failed.code, failed.out], [5, ''])
  assert.match(failed.err, /cannot be added/)
  // what the server refuses stays what it is
  assert.deepEqual(await tw(['tasks', 'get', 'WEB-9', '--jq', '.name'], { env }), {
    code: 1,
    out: '',
    err: 'Not found\n',
  })
  assert.equal(
    (await tw(['tags', 'list', '--csv', '--jq', '.'], { env })).err,
    '--jq and --csv exclude each other. Use one of them.\n',
  )
})

test('--jq says how to install jq if it is missing, before anything is written', async () => {
  const { tw } = await desk()
  const without = await tw('tags create --name Urgent --jq .name', { env: { PATH: '/nowhere' } })
  assert.deepEqual([without.code, without.out], [2, ''])
  assert.match(without.err, /^--jq needs the program jq\. Install it /)
  assert.equal(JSON.parse((await tw('tags list --json')).out).total, 0)
})
