import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from '../../src/db/sql.ts'
import { changeByJob } from '../../src/operations/changes.ts'
import { allowed } from '../support/allowed.ts'
import { built } from '../support/built.ts'
import { hasty, webhookTo } from '../support/delivering.ts'
import { startReceiver } from '../support/receiver.ts'
import { migratedDatabase, secretKey, startServer } from '../support/world.ts'

// all of it: DELIVERY_EVENTS=10000 DELIVERY_KILLS=50
const eventCount = Number(process.env.DELIVERY_EVENTS ?? 240)
const killCount = Number(process.env.DELIVERY_KILLS ?? 4)
const webhookCount = 4
/** a receiver fails half of the time, but at some time takes each event */
const mostFailures = 7

const folder = await mkdtemp(join(tmpdir(), 'taskwright-deliverer-'))
const [program = ''] = await built(
  [fileURLToPath(new URL('../support/deliverer.ts', import.meta.url))],
  join(folder, 'built'),
)
after(() => rm(folder, { recursive: true }))
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url, allowedSubnets: allowed })
after(drop)

test('no event is lost while two processes are killed again and again and a receiver fails half of the time', async (t) => {
  const world = await newWorld()
  const failures = new Map<string, number>()
  const bodies = new Map<string, string>()
  const taken = new Map<string, number>()
  const receiver = await startReceiver(t, ({ path, headers, body }, response) => {
    const id = `${path} ${headers['webhook-id']}`
    assert.equal(bodies.get(id) ?? body, body)
    bodies.set(id, body)
    const failed = failures.get(id) ?? 0
    if (failed < mostFailures && Math.random() < 0.5) {
      failures.set(id, failed + 1)
      if (Math.random() < 0.5) response.writeHead(503).end()
      else response.destroy()
    } else {
      taken.set(id, (taken.get(id) ?? 0) + 1)
      response.end()
    }
  })
  const webhooks = []
  for (let n = 0; n < webhookCount; n++)
    webhooks.push(await webhookTo(t, world, `${receiver.url}/${n}`, { types: [typeOf(n)] }))
  const processes = await Promise.all([started(t), started(t)])
  for (let n = 0; n < eventCount; n += 100) {
    await changeByJob(db, world.orgId, 'deliveries', async (_, emit) => {
      for (let i = n; i < Math.min(n + 100, eventCount); i++)
        emit(typeOf(i % webhookCount), { id: world.orgId, name: String(i) })
    })
  }
  for (let n = 1; n <= killCount; n++) {
    await receiver.until(({ length }) => length >= (n * eventCount) / (killCount + 1), 600_000)
    await wait(Math.random() * 50)
    const victim = n % 2
    processes[victim]?.kill('SIGKILL')
    processes[victim] = await started(t)
  }
  await receiver.until(() => taken.size >= eventCount, 600_000)
  const ids = new Set([...taken.keys()].map((key) => key.split(' ')[1]))
  assert.equal(ids.size, eventCount)
  const names = [...bodies.values()].map((body) => Number(JSON.parse(body).snapshot.name))
  assert.deepEqual(
    names.toSorted((a, b) => a - b),
    Array.from({ length: eventCount }, (_, n) => n),
  )
  // what was taken is recorded at last, by whoever sends it again
  const unrecorded = () =>
    db.rows(sql`
    select 1 from webhooks join event_counters using (org_id)
    where org_id = ${world.orgId} and (position < last_sequence - ${webhookCount} or exists (
      select from deliveries where deliveries.org_id = webhooks.org_id and webhook_id = webhooks.id and status <> 'delivered'))`)
  const patientUntilMs = performance.now() + 120_000
  while ((await unrecorded()).length > 0) {
    assert.ok(performance.now() < patientUntilMs, 'What was taken is not recorded')
    await wait(20)
  }
  const again = [...taken.values()].filter((times) => times > 1).length
  t.diagnostic(
    `${eventCount} events, ${killCount} kills, ${receiver.received.length} requests, ${again} events taken twice or more`,
  )
})

const typeOf = (n: number) => ['tag.created', 'tag.updated', 'tag.deleted', 'tag.restored'][n] ?? ''

async function started(t: TestContext): Promise<ChildProcess> {
  const retryPolicy = JSON.stringify({ ...hasty, retriesMs: Array(9).fill(30), longestBreakMs: 20 })
  const child = fork(program, [url, secretKey, retryPolicy], { execArgv: ['--enable-source-maps'] })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(() => assert.fail('It ended before it began'))
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return child
}
