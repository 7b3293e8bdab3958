import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { build, stop } from 'esbuild'
import { keyOf, seedingOf } from './commands/demo/seeding.ts'
import { root } from './documentation/pages.ts'
import { afterwards } from './support/afterwards.ts'
import { linesOf } from './support/slow/processes.ts'
import { inTime } from './support/until.ts'
import { sharedServer } from './support/world.ts'

const { db, api, port } = await sharedServer()
const demo = await seedingOf(db).seeded({ tasks: 200 })
const owner = api(keyOf(demo, 'owner'))

test('every example has a program with the name of its folder, and a page', async () => {
  for (const name of await readdir(`${root}examples`)) {
    assert.deepEqual((await readdir(`${root}examples/${name}`)).sort(), ['README.md', `${name}.mjs`])
  }
})

test('the weekly report has a row for each member and project of the week, and the rows add up to the last one', async (t) => {
  const { run } = await example(t, 'weekly-report')
  const { data } = (await owner.get('/time-entries?limit=1&running=false')).body
  const day = data[0].startedAt.slice(0, 10)
  const { lines } = await run(day)
  const [heading, ...rows] = lines.map((line) => line.split(','))
  assert.deepEqual(heading, ['member', 'project', 'hours', 'billable hours', 'entries'])
  const last = rows.pop() ?? []
  assert.ok(rows.length > 0)
  const entriesIn = (list: string[][]) => list.reduce((sum, row) => sum + Number(row[4]), 0)
  assert.deepEqual([last[0], entriesIn(rows)], ['all', entriesIn([last])])
  const ofNobody = await run('1999-01-01')
  assert.deepEqual(ofNobody.lines, [heading?.join(), 'all,,0.00,0.00,0'])
})

test('the sync merges edits of both sides, shows what both changed, and loses nothing', async (t) => {
  const { run, folder } = await example(t, 'json-sync')
  const { body: project } = await owner.post('/projects', { name: 'Shed', key: 'SHED' })
  const make = (name: string) => owner.post('/tasks', { projectId: project.id, name })
  for (const name of ['Paint', 'Mow', 'Sweep']) await make(name)
  const file = join(folder, 'tasks.json')
  const sync = () => run('SHED', file)
  const entries = async () => JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>[]
  const edit = async (key: string, change: (entry: Record<string, unknown>) => void) => {
    const all = await entries()
    change(all.find((entry) => entry.key === key) ?? {})
    await writeFile(file, JSON.stringify(all))
  }
  const entry = async (key: string) => (await entries()).find((one) => one.key === key)
  const task = async (key: string) => (await owner.get(`/tasks/${key}`)).body

  assert.deepEqual(
    (await sync()).lines.sort(),
    ['SHED-1', 'SHED-2', 'SHED-3'].map((key) => `${key} is new in the file`),
  )
  assert.deepEqual((await sync()).lines, [])

  // each side another field of one task, both the same field of another one; a new task on each side
  await edit('SHED-1', (one) => Object.assign(one, { priority: 'high' }))
  await owner.patch('/tasks/SHED-1', { name: 'Paint it red' })
  await edit('SHED-2', (one) => Object.assign(one, { name: 'Mow here', dueDate: '2026-12-01' }))
  await owner.patch('/tasks/SHED-2', { name: 'Mow there' })
  await writeFile(file, JSON.stringify([...(await entries()), { name: 'Weed' }]))
  await make('Water')
  const { lines } = await sync()
  assert.ok(lines.includes('SHED-2 has a conflict in name: here "Mow here", there "Mow there"'), lines.join('\n'))
  const [first, second] = [await task('SHED-1'), await task('SHED-2')]
  assert.deepEqual([first.name, first.priority], ['Paint it red', 'high'])
  assert.equal((await entry('SHED-1'))?.name, 'Paint it red')
  assert.deepEqual([second.name, second.dueDate], ['Mow there', null])
  const disputed = await entry('SHED-2')
  assert.deepEqual(disputed?.conflict, { name: { here: 'Mow here', there: 'Mow there' } })
  assert.deepEqual([disputed?.name, disputed?.dueDate], ['Mow here', '2026-12-01'])
  assert.deepEqual((await entries()).map(({ name }) => name).sort(), [
    'Mow here',
    'Paint it red',
    'Sweep',
    'Water',
    'Weed',
  ])

  assert.deepEqual((await sync()).lines, ['SHED-2 still has a conflict: choose a value and remove "conflict"'])
  await edit('SHED-2', (one) => delete one.conflict)
  assert.deepEqual((await sync()).lines, ['SHED-2 updated from the file: name, dueDate'])
  const decided = await task('SHED-2')
  assert.deepEqual([decided.name, decided.dueDate], ['Mow here', '2026-12-01'])
  assert.deepEqual((await sync()).lines, [])
  assert.equal((await owner.get(`/tasks?projectId=${project.id}`)).body.data.length, 5)
})

test('the sync sends a new task again by the same key after a crash, and creates it once', async (t) => {
  const { run, folder } = await example(t, 'json-sync')
  const { body: project } = await owner.post('/projects', { name: 'Crash', key: 'CRASH' })
  const file = join(folder, 'tasks.json')
  // as it was left when the request was under way, and edited since
  const creating = { idempotencyKey: '8e03978e-40d5-43dd-bc93-6894a57f9324', task: { name: 'Weed' } }
  await owner.post('/tasks', { name: 'Weed', projectId: project.id }, { 'idempotency-key': creating.idempotencyKey })
  await writeFile(file, JSON.stringify([{ name: 'Weed it all', creating }, { name: '' }]))
  assert.deepEqual((await run('CRASH', file)).lines, [
    'CRASH-1 is new on the server',
    '"" was refused: Validation failed {"name":["Must have at least 1 character"]}',
    'CRASH-1 updated from the file: name',
  ])
  const { body } = await owner.get(`/tasks?projectId=${project.id}`)
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Weed it all'],
  )
  const [, refused] = JSON.parse(await readFile(file, 'utf8'))
  assert.deepEqual(refused, { name: '' })
})

test('the bot finalizes the subtasks of a completed task, continues after it is killed, and does nothing twice', async (t) => {
  const { start, folder } = await example(t, 'finalizing-bot')
  const { body: project } = await owner.post('/projects', { name: 'Bot', key: 'BOT' })
  const board = { name: 'Bot', projectId: project.id }
  const { body: workspace } = await owner.post('/workspaces', board)
  const stage = async (category: string) =>
    (await owner.post(`/workspaces/${workspace.id}/stages`, { name: category, category })).body.id
  const [todo, done] = [await stage('todo'), await stage('done')]
  const task = async (name: string) => {
    const fields = { name, projectId: project.id, workspaceId: workspace.id, stageId: todo }
    const { body } = await owner.post('/tasks', fields)
    for (const step of ['first', 'second']) await owner.post(`/tasks/${body.id}/subtasks`, { name: step })
    return body
  }
  const [one, other] = [await task('One'), await task('Other')]
  const complete = ({ id }: { id: string }) => owner.post(`/tasks/${id}/move`, { stageId: done })
  const head = (await owner.get('/events/head')).body.latest

  const position = join(folder, 'position.json')
  const bot = start(position)
  await bot.said(/^Following/)
  await complete(one)
  await bot.said(/^BOT-1: second$/)
  await bot.kill('SIGKILL')
  await complete(other)
  const again = start(position)
  await again.said(/^BOT-2: second$/)
  // it ends in good order behind what it does
  assert.equal(await again.kill('SIGTERM'), 0)
  for (const { id } of [one, other]) {
    const { data } = (await owner.get(`/tasks/${id}/subtasks`)).body
    assert.ok(data.every(({ finalizedAt }: { finalizedAt: string | null }) => finalizedAt !== null))
  }
  const { data } = (await owner.get(`/events?type=subtask.*&after=${head}`)).body
  assert.equal(data.length, 4)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('position')),
    ['position.json'],
  )
})

/** An example as a program, with the client of this clone. */
async function example(t: TestContext, name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-example-'))
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  const program = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [`${root}examples/${name}/${name}.mjs`],
    outfile: program,
    alias: { '@taskwright/client': `${root}client/src/index.ts` },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20.19', logLevel: 'silent' },
  })
  await stop()
  const env = { TASKWRIGHT_URL: `http://127.0.0.1:${port}`, TASKWRIGHT_API_KEY: owner.key }

  function start(...words: string[]) {
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err] = [linesOf(child.stdout), linesOf(child.stderr)]
    const ended = once(child, 'close').then(([code]): number | null => code)
    const kill = (signal: NodeJS.Signals) => {
      child.kill(signal)
      return inTime(ended, `${name} does not end`)
    }
    afterwards(t, () => kill('SIGKILL'))
    const gone = ended.then(() => Promise.reject(new Error(`It ended:\n${err.all.join('\n')}`)))
    gone.catch(() => {})
    const said = (pattern: RegExp) =>
      inTime(Promise.race([out.first((line) => pattern.test(line)), gone]), `${name} does not say ${pattern}`)
    return { out, err, ended, kill, said }
  }

  async function run(...words: string[]) {
    const { out, err, ended } = start(...words)
    assert.equal(await inTime(ended, `${name} does not end`), 0, err.all.join('\n'))
    return { lines: out.all }
  }
  return { folder, start, run }
}
