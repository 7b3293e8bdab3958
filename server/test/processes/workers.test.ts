import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterwards } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { keptAlive, type Sent, writtenUntilStopped } from '../support/kept-alive.ts'
import {
  onMadeCluster,
  onMigratedDatabase,
  outcome,
  postmasterIn,
  serving,
  taskwright,
} from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'
import { assertExactlyOnce, writers } from '../support/writers.ts'

test('one line prints the port that all workers share, and each of them serves requests', async (t) => {
  const server = await serving(t, { ...(await onMadeCluster(t)), WORKERS: '3', LOG_LEVEL: 'info' })
  assert.deepEqual(server.out.all.slice(1), [`Taskwright listening on ${server.base}`])
  assert.equal((await workersOf(server.pid)).length, 3)
  for (let n = 0; n < 6; n++)
    assert.equal((await keptAlive(t, server.base, server.ownersKey)('GET', '/me')).status, 200)
  await server.kill('SIGTERM')
  const answering = answersIn(server.err.all).map(({ pid }) => pid)
  assert.deepEqual([answering.length, new Set(answering).size], [6, 3])
})

test('WORKERS=1 starts no other process', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '1' })
  assert.deepEqual(await workersOf(server.pid), [])
})

test('a port in use is refused with a message before any worker starts, and PostgreSQL is stopped again', async (t) => {
  const [one, other] = [await onMigratedDatabase(t), await onMadeCluster(t)]
  const { port } = await serving(t, one)
  const { code, out, err } = await outcome(t, ['serve'], { ...other, WORKERS: '2', PORT: String(port) })
  assert.deepEqual([code, out.length], [1, 1])
  assert.equal(err.at(-1), `Port ${port} is in use. Stop the program that listens there, or choose another PORT.`)
  assert.equal(await postmasterIn(other.DATA_DIR), undefined)
})

test('workers that ran out of file handles accept connections again when they can', async (t) => {
  const { base, port } = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '2' }, 'ulimit -n 120')
  const crowd = Array.from({ length: 600 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  // until no more of them are taken
  await wait(2_000)
  for (const socket of crowd) socket.destroy()
  const answered = async () => {
    // what comes while the crowd is still being seen off may be turned away
    for (;;) if ((await fetch(`${base}/healthz`).catch(() => undefined))?.status === 200) return
  }
  await inTime(Promise.all(Array.from({ length: 4 }, answered)), 'Nobody answers')
})

test('a person cannot start a worker', async (t) => {
  const { code, err } = await outcome(t, ['worker'], {})
  assert.deepEqual([code, err[0]], [2, `There is no command 'worker'.`])
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} drains all workers without dropping a request, then stops PostgreSQL`, async (t) => {
    const settings = { ...(await onMadeCluster(t)), WORKERS: '2' }
    const server = await serving(t, settings)
    const written = await writtenUntilStopped(t, server, async () =>
      toAll([server.pid, ...(await workersOf(server.pid))], signal),
    )
    assert.deepEqual(await server.ended, { code: 0, signal: null })
    assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
    const again = await serving(t, settings)
    assert.equal((await apiOf(`${again.base}/api/v1`, server.ownersKey).get('/tags')).body.total, written)
  })
}

test('a killed worker is replaced, while the others continue and nothing is lost or done twice', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '2' })
  const { owner, project, task } = await withTask(server)
  const writing = writers(20, server.ownersKey, { projectId: project.id, taskId: task.id })
  afterwards(t, () => writing.abandon())
  writing.running(Promise.resolve(server.base))
  for (const killed of await workersOf(server.pid)) {
    await writing.more(100)
    process.kill(killed, 'SIGKILL')
    await until(async () => {
      const now = await workersOf(server.pid)
      return now.length === 2 && !now.includes(killed)
    })
  }
  await writing.more(100)
  const { acknowledged, unanswered } = await writing.finish()
  assert.ok(unanswered > 0, 'no request met a dead worker')
  await assertExactlyOnce(owner, acknowledged, [JSON.stringify(task)])
  const said = server.err.all.filter((line) => line.startsWith('A worker process ended'))
  assert.deepEqual(said, Array(2).fill('A worker process ended (SIGKILL); a new one replaces it.'))
})

test('workers that end again and again right after their start end the server with a message and exit code 1', async (t) => {
  const settings = await onMadeCluster(t)
  const server = taskwright(t, ['serve'], { ...settings, WORKERS: '2', PORT: '0' })
  let ended = false
  void server.ended.then(() => {
    ended = true
  })
  let killed = 0
  await until(async () => {
    const workers = await workersOf(server.pid)
    await toAll(workers, 'SIGKILL')
    killed += workers.length
    return ended
  })
  assert.equal((await server.ended).code, 1)
  assert.equal(
    server.err.all.at(-1),
    'Worker processes ended right after their start, 5 times in a row (SIGKILL): the server cannot go on.',
  )
  assert.ok(killed >= 5)
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('when the first process is killed its workers end too, and the next start gets port and data', async (t) => {
  const settings = { ...(await onMadeCluster(t)), WORKERS: '2' }
  const server = await serving(t, settings)
  const workers = await workersOf(server.pid)
  assert.equal(workers.length, 2)
  await server.kill('SIGKILL')
  await until(async () => (await processes()).every(({ pid }) => !workers.includes(pid)))
  const next = await serving(t, { ...settings, PORT: String(server.port) })
  assert.equal((await apiOf(`${next.base}/api/v1`, server.ownersKey).get('/me')).status, 200)
})

test('after the 204 of a revocation no worker accepts the key, or a role that was taken away', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '4' })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  // more than workers: each has some
  const clients = (key: string) => Array.from({ length: 12 }, () => keptAlive(t, server.base, key))
  for (let round = 0; round < 10; round++) {
    const key = await created(owner.post('/api-keys', { name: 'A key' }))
    const sends = clients(key.secret)
    const statuses = () => Promise.all(sends.map(async (send) => (await send('GET', '/me')).status))
    assert.deepEqual(new Set(await statuses()), new Set([200]))
    assert.equal((await owner.delete(`/api-keys/${key.id}`)).status, 204)
    assert.deepEqual(new Set(await statuses()), new Set([401]))
  }
  const admin = await created(owner.post('/members', { name: 'Ann', email: 'ann@example.com', role: 'admin' }))
  const { secret } = await created(owner.post('/api-keys', { name: "Ann's", memberId: admin.id }))
  const sends = clients(secret)
  const rename = () => Promise.all(sends.map(async (send) => (await send('PATCH', '/organization', {})).status))
  assert.deepEqual(new Set(await rename()), new Set([200]))
  assert.equal((await owner.patch(`/members/${admin.id}`, { role: 'member' })).status, 200)
  assert.deepEqual(new Set(await rename()), new Set([403]))
})

test('a stuck worker delays a revocation no longer than it could trust the key', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '3' })
  const [stuck = 0] = await workersOf(server.pid)
  const key = await created(apiOf(`${server.base}/api/v1`, server.ownersKey).post('/api-keys', { name: 'A key' }))
  const all = Array.from({ length: 3 }, () => keptAlive(t, server.base, server.ownersKey))
  for (const send of all) await send('GET', '/me')
  process.kill(stuck, 'SIGSTOP')
  afterwards(t, async () => void process.kill(stuck, 'SIGCONT'))
  const replies: Sent[] = []
  for (const send of all)
    void send('DELETE', `/api-keys/${key.id}`).then(
      (reply) => replies.push(reply),
      () => {},
    )
  // whichever of them is stuck, the two others answer
  await until(async () => replies.length === 2)
  assert.deepEqual(
    replies.map(({ status }) => status),
    [204, 204],
  )
})

test('a stuck worker is killed in time for the others to end cleanly', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '2' })
  const [stuck = 0] = await workersOf(server.pid)
  process.kill(stuck, 'SIGSTOP')
  afterwards(t, async () => void (await toAll([stuck], 'SIGKILL')))
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(
    server.err.all.filter((line) => line.startsWith('Not everything')),
    [],
  )
})

test('a second signal ends a stuck worker too', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '2', DRAIN_DELAY: '10m' })
  const workers = await workersOf(server.pid)
  const [stuck = 0] = workers
  process.kill(stuck, 'SIGSTOP')
  afterwards(t, async () => void (await toAll([stuck], 'SIGKILL')))
  process.kill(server.pid, 'SIGTERM')
  await server.err.first((line) => line.startsWith('Stopping (SIGTERM)'))
  const again = setInterval(() => void toAll([server.pid], 'SIGINT'), 200)
  // its pipes are closed once nobody holds them any more
  const how = await inTime(server.ended, 'Somebody is left').finally(() => clearInterval(again))
  assert.deepEqual(how, { code: 1, signal: null })
  await until(async () => (await processes()).every(({ pid }) => !workers.includes(pid)))
})

test('copies of a POST that reach several workers have one effect', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, { ...settings, WORKERS: '2', LOG_LEVEL: 'info' })
  const { owner, project, task } = await withTask(server)
  const held = await hold(t, settings.DATABASE_URL, 'select 1 from projects where id = $1 for update', [project.id])
  const sent = Array.from({ length: 20 }, () =>
    keptAlive(t, server.base, server.ownersKey)(
      'POST',
      '/tasks',
      { projectId: project.id, name: 'A twin' },
      { 'idempotency-key': 'k' },
    ),
  )
  // the first of one worker runs, the first of the other waits for it
  await held.waiters(2)
  await held.release()
  const replies = await Promise.all(sent)
  assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))], [`201 ${replies[0]?.text}`])
  assert.equal(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
  const names = (await owner.get('/tasks')).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['A twin', task.name])
  await server.kill('SIGTERM')
  const twins = answersIn(server.err.all).filter(({ method, route }) => `${method} ${route}` === 'POST /api/v1/tasks')
  assert.equal(new Set(twins.slice(-20).map(({ pid }) => pid)).size, 2)
})

test('/metrics of any worker is the sum over all of them', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '2' })
  const clients = Array.from({ length: 4 }, () => keptAlive(t, server.base, server.ownersKey))
  for (const send of clients) for (let n = 0; n < 5; n++) await send('GET', '/me')
  const scrape = async () => (await fetch(`${server.base}/metrics`, { headers: { connection: 'close' } })).text()
  const count = 'http_requests_total{method="GET",route="/api/v1/me",status="200"} 20'
  for (let n = 0; n < 4; n++) await until(async () => (await scrape()).includes(count))
  const idle = async () => Number(/^database_connections\{pool="own",state="idle"\} (\d+)$/m.exec(await scrape())?.[1])
  // each has one at least, which may be at work for a moment
  await until(async () => (await idle()) >= 2)
})

/** The workers of a server that are alive. */
async function workersOf(server: number): Promise<number[]> {
  const all = await processes()
  return all.filter(({ parent, command }) => parent === server && command.endsWith(' worker')).map(({ pid }) => pid)
}

/** All processes but those that ended and nobody asked after. */
async function processes() {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='])
  const lines = [...stdout.matchAll(/^ *(\d+) +(\d+) +(\S+) +(.*)$/gm)]
  return lines
    .filter(([, , , state]) => !state?.startsWith('Z'))
    .map(([, pid, parent, , command = '']) => ({ pid: Number(pid), parent: Number(parent), command }))
}

/** As a terminal or a supervisor sends a signal to every process of a group. */
async function toAll(pids: readonly number[], signal: NodeJS.Signals): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // it ended by itself meanwhile
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Asks until it holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  let tooLong = false
  const asking = async () => {
    while (!tooLong && !(await holds())) await wait(10)
  }
  await inTime(asking(), 'It does not come to hold').finally(() => {
    tooLong = true
  })
}

/** What the log says of answers. */
const answersIn = (lines: readonly string[]): { pid: number; method: string; route: string }[] =>
  lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'answered')

async function withTask({ base, ownersKey }: Awaited<ReturnType<typeof serving>>) {
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const project = await created(owner.post('/projects', { name: 'A project' }))
  const task = await created(owner.post('/tasks', { projectId: project.id, name: 'A task' }))
  return { owner, project, task }
}
