import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { afterwards } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { keptAlive } from '../support/kept-alive.ts'
import { openRaw, request } from '../support/raw.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? [])
const hasIpv6 = addresses.some(({ address }) => address === '::1')
const options = hasIpv6 ? {} : { skip: 'this machine has no ::1' }

for (const WORKERS of ['1', '2']) {
  test(`the server answers at both loopback addresses, and drains both (WORKERS=${WORKERS})`, options, async (t) => {
    const settings = await onMigratedDatabase(t)
    const server = await serving(t, { ...settings, WORKERS })
    const there = `http://[::1]:${server.port}`
    for (const base of [server.base, there, `http://localhost:${server.port}`])
      assert.equal((await fetch(`${base}/healthz`)).status, 200)
    const owner = apiOf(`${there}/api/v1`, server.ownersKey)
    const { id: projectId } = await created(owner.post('/projects', { name: 'A project' }))
    const held = await hold(t, settings.DATABASE_URL, 'select 1 from projects where id = $1 for update', [projectId])
    const idle = keptAlive(t, there, server.ownersKey)
    assert.equal((await idle('GET', '/me')).headers.connection, 'keep-alive')
    const slow = keptAlive(t, there, server.ownersKey)('POST', '/tasks', { projectId, name: 'A task' })
    await held.waiters(1)
    server.kill('SIGTERM')
    await refused(there)
    const last = await idle('GET', '/me')
    assert.deepEqual([last.status, last.headers.connection], [200, 'close'])
    await held.release()
    const { status, headers } = await slow
    assert.deepEqual([status, headers.connection], [201, 'close'])
    assert.deepEqual(await server.ended, { code: 0, signal: null })
  })

  test(
    `clients that the kernel has connected at ::1 get a response at a stop (WORKERS=${WORKERS})`,
    options,
    async (t) => {
      const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS })
      process.kill(server.pid, 'SIGSTOP')
      const lines = Array.from({ length: 50 }, () => openRaw(server.port, request('GET /healthz'), '::1'))
      await Promise.all(lines.map(({ connected }) => connected))
      process.kill(server.pid, 'SIGTERM')
      process.kill(server.pid, 'SIGCONT')
      const answers = await inTime(Promise.all(lines.map(({ ended }) => ended)), 'Not all are answered')
      assert.deepEqual(
        answers.flatMap((one) => one.answers),
        Array(50).fill(200),
      )
      assert.deepEqual(await server.ended, { code: 0, signal: null })
    },
  )

  test(`a program at ::1 does not stop the server, which says so (WORKERS=${WORKERS})`, options, async (t) => {
    const other = createServer((socket) => socket.end()).listen(0, '::1')
    await once(other, 'listening')
    afterwards(t, async () => void other.close())
    const { port } = other.address() as { port: number }
    const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS, PORT: String(port) })
    assert.equal(server.port, port)
    assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
    const sentence = `Another program listens on port ${port} of [::1], so http://localhost:${port} can open that program.`
    assert.ok(server.err.all.some((line) => line.startsWith(sentence)))
    assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  })
}

test('with another HOST, the server listens only there', options, async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, { ...settings, HOST: '0.0.0.0' })
  await refused(`http://[::1]:${server.port}`)
  const only6 = await serving(t, { ...settings, HOST: '::1' })
  await refused(`http://127.0.0.1:${only6.port}`)
})

/** Once no new connection is taken. */
async function refused(base: string): Promise<void> {
  const isOpen = () =>
    fetch(`${base}/healthz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    )
  const closed = async () => {
    while (await isOpen()) {}
  }
  await inTime(closed(), `${base} stays open`)
}
