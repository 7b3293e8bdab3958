import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onMadeCluster, onMigratedDatabase, postmasterIn, serving } from '../support/slow/processes.ts'
import { apiOf, created } from '../support/world.ts'
import { assertExactlyOnce, writers } from '../support/writers.ts'

const clients = 20
const writesBetween = 100

test('a server that is killed again and again while clients write loses nothing and does nothing twice', async (t) => {
  const settings = await onMigratedDatabase(t)
  await surviving(t, settings, 3, async (server) => {
    await server.kill('SIGKILL')
    return serving(t, settings)
  })
})

test('a server whose PostgreSQL is killed with it loses nothing and does nothing twice', async (t) => {
  const settings = await onMadeCluster(t)
  await surviving(t, settings, 2, async (server) => {
    process.kill(server.pid, 'SIGKILL')
    await killDatabase(settings.DATA_DIR)
    await server.ended
    return serving(t, settings)
  })
})

test('a server whose PostgreSQL alone is killed restarts it, loses nothing and does nothing twice', async (t) => {
  const settings = await onMadeCluster(t)
  await surviving(t, settings, 2, async (server) => {
    await killDatabase(settings.DATA_DIR)
    return server
  })
})

type Server = Awaited<ReturnType<typeof serving>>

/** Lets clients write, brings the server down `times` times, and checks what is there in the end. */
async function surviving(
  t: Scope,
  settings: Record<string, string>,
  times: number,
  bringDown: (server: Server) => Promise<Server>,
): Promise<void> {
  let server = await serving(t, settings)
  const key = server.ownersKey
  const owner = () => apiOf(`${server.base}/api/v1`, key)
  const project = await created(owner().post('/projects', { name: 'A project' }))
  const task = await created(owner().post('/tasks', { projectId: project.id, name: 'A task' }))
  const writing = writers(clients, key, { projectId: project.id, taskId: task.id })
  afterwards(t, () => writing.abandon())
  writing.running(Promise.resolve(server.base))
  for (let n = 0; n < times; n++) {
    await writing.more(writesBetween)
    const next = bringDown(server)
    writing.running(next.then(({ base }) => base))
    server = await next
  }
  await writing.more(writesBetween)
  const { acknowledged, unanswered } = await writing.finish()
  assert.ok(unanswered > 0, 'no request met a dead server')
  await assertExactlyOnce(owner(), acknowledged, [JSON.stringify(task)])
}

/** SIGKILL to the postmaster and all its children, as when the power goes. */
async function killDatabase(dataDir: string): Promise<void> {
  const postmaster = await postmasterIn(dataDir)
  assert.ok(postmaster)
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const children = [...stdout.matchAll(/(\d+) +(\d+)/g)].filter(([, , parent]) => Number(parent) === postmaster)
  for (const pid of [postmaster, ...children.map(([, child]) => Number(child))]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // it ended by itself meanwhile
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
