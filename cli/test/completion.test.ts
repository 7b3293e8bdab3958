import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../server/test/support/until.ts'
import { startServer } from '../../server/test/support/world.ts'
import { typingTo } from './support/typing.ts'

const server = await startServer()

async function shell() {
  const world = await server.newWorld()
  const project = await world.project({ name: 'Web site', key: 'WEB' })
  const env = { XDG_CACHE_HOME: await mkdtemp(join(tmpdir(), 'tw-')) }
  const tw = typingTo(server.base, world.owner.key)
  const complete = async (words: readonly string[], more = {}) => {
    const { code, out, err } = await tw(['__complete', 'fish', ...words], { env: { ...env, ...more } })
    assert.deepEqual([code, err], [0, ''])
    return out.trimEnd().split('\n')
  }
  // nothing completes when the server takes too long, either
  const named = (words: readonly string[]) =>
    until(async () => {
      const lines = await complete(words)
      return lines[0] !== '' && lines
    }, 'Nothing completes it')
  const inBash = (line: string, taken: string) =>
    until(
      async () => (await tw(['__complete', 'bash', line, taken], { env })).out || undefined,
      'Nothing completes it in bash',
    )
  return { ...world, project, complete, named, inBash, tw, env }
}

const textsOf = (lines: readonly string[]) => lines.map((line) => line.split('\t')[0])

test('nouns, verbs and flags complete, each with its description', async () => {
  const { complete } = await shell()
  assert.deepEqual(textsOf(await complete(['ta'])), ['task-types', 'tags', 'tasks'])
  assert.deepEqual(await complete(['projects', 'members', 'a']), ['add\tAdd a member to a project'])
  assert.deepEqual(textsOf(await complete(['tasks', 'list', '--due-b'])), ['--due-before'])
  assert.deepEqual(textsOf(await complete(['tasks', 'list', '--all', '--al'])), [''])
  assert.deepEqual(textsOf(await complete(['tasks', 'list', '--priority', 'h'])), ['high'])
  assert.deepEqual(textsOf(await complete(['tasks', 'list', '--priority=high,u'])), ['--priority=high,urgent'])
  assert.deepEqual(textsOf(await complete(['tasks', 'list', '--columns', 'key,du'])), ['key,dueDate'])
  assert.deepEqual(textsOf(await complete(['completion', ''])), ['bash', 'zsh', 'fish'])
})

test('projects, stages, members, tags and your tasks complete by their names', async () => {
  const { named, workspace, project, tag, task, owner } = await shell()
  await workspace({ name: 'Board', projectId: project.id, stages: ['To do', 'Doing'] })
  await tag({ name: 'Very urgent' })
  await task({ projectId: project.id, name: 'Mine', assigneeIds: [owner.memberId] })
  assert.deepEqual(await named(['tasks', 'list', '--project', 'w']), ['WEB\tWeb site'])
  assert.deepEqual(await named(['projects', 'get', '']), ['WEB\tWeb site'])
  assert.deepEqual(textsOf(await named(['tasks', 'create', '--project', 'WEB', '--stage', ''])), ['To do', 'Doing'])
  assert.deepEqual(await named(['tasks', 'list', '--assignee', 'oli']), ['olivia@example.com\tOlivia Owner'])
  assert.deepEqual(textsOf(await named(['tasks', 'list', '--assignee', 'me,o'])), ['me,olivia@example.com'])
  assert.deepEqual(await named(['tasks', 'list', '--tag', 'very']), ['Very urgent'])
  assert.deepEqual(await named(['timer', 'start', 'web']), ['WEB-1\tMine'])
})

test('a completion asks the server at most once a minute, and uses the last response while the server cannot be reached', async () => {
  const { complete, named, tag } = await shell()
  const asked: (string | undefined)[] = []
  server.app.server.on('request', ({ url }) => asked.push(url))
  await tag({ name: 'Old' })
  assert.deepEqual(await named(['tags', 'get', '']), ['Old'])
  const isAsked = (url?: string) => url?.startsWith('/api/v1/tags?')
  assert.ok(asked.splice(0).some(isAsked))
  await tag({ name: 'New' })
  assert.deepEqual(await complete(['tags', 'get', '']), ['Old'])
  assert.ok(!asked.some(isAsked))
  assert.deepEqual(await complete(['tags', 'get', ''], { TASKWRIGHT_URL: 'http://127.0.0.1:9' }), [''])
  assert.deepEqual(await complete(['tags', 'get', ''], { TASKWRIGHT_API_KEY: 'no key' }), [''])
})

test('bash completes a word after its own word breaks, and keeps words with spaces together', async () => {
  const { inBash, tag } = await shell()
  await tag({ name: 'Very urgent' })
  assert.equal(await inBash('tw tasks list --assignee olivia@ex', 'ex'), 'example.com\n')
  assert.equal(await inBash('tw tasks list --assignee olivia@', '@'), 'example.com\n')
  assert.equal(await inBash('tw tasks list --project=', '='), 'WEB\n')
  assert.equal(await inBash('tw tasks list --tag Ve', 'Ve'), 'Very\\ urgent\n')
  assert.equal(await inBash('tw tasks list --tag Very\\ ur', 'Very\\ ur'), 'Very\\ urgent\n')
  assert.equal(await inBash('tw tasks list --tag "Very u', '"Very u'), 'Very urgent\n')
})

test('bash completes names only as text and runs nothing in them, inside quotes and outside', async () => {
  const { inBash, tag } = await shell()
  const names = [
    'a$(echo run)',
    'b`echo run`',
    `c"; echo run; "`,
    `d'; echo run; '`,
    'e\\$HOME\\',
    'f~*?[x]{y,z}#&|<>',
    'gé 😀 !printf!!',
  ]
  for (const name of names) await tag({ name })
  for (const name of names)
    for (const quote of ['', '"', "'"]) {
      const typed = `${quote}${name[0]}`
      const rest = (await inBash(`tw tags get ${typed}`, typed)).trimEnd()
      const line = `printf '[%s]' ${quote}${rest}${quote}`
      // as somebody types it: what was typed before comes back by !
      const shell = ['--norc', '--noprofile', '-i']
      const said = execFileSync('bash', shell, {
        encoding: 'utf8',
        input: `${line}\n`,
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      assert.equal(said, `[${name}]`, line)
    }
})
