import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionQuota } from '../../src/db/connection-quota.ts'
import { ActiveTenants } from '../../src/db/work-budget.ts'

const most = Math.ceil(availableParallelism() / 2)

const [tenant, neighbour] = [randomUUID(), randomUUID()]

test('alone an organization has as many transactions at work as it has places, beside others of long ones as many as leave processors', async () => {
  const { shares, atWork, held, release, holdAgain } = opened()
  const alone = Array.from({ length: 20 }, () => held(tenant))
  assert.equal(atWork(), 8)
  release()
  await Promise.all(alone)
  for (let n = 0; n < 4; n++) await Promise.all(Array.from({ length: 8 }, () => shares.run(tenant, () => wait(60))))
  await shares.run(neighbour, () => Promise.resolve())
  holdAgain()
  const beside = Array.from({ length: 20 }, () => held(tenant))
  assert.equal(atWork(), most)
  await shares.run(neighbour, () => Promise.resolve())
  release()
  await Promise.all(beside)
  assert.equal(shares.waiting, 0)
})

test('beside others transactions that wait do not keep the rest of their organization from being at work', async () => {
  const { shares, atWork, held, release } = opened()
  for (let n = 0; n < 4; n++) await Promise.all(Array.from({ length: 8 }, () => shares.run(tenant, () => wait(60))))
  const others = setInterval(() => void shares.run(neighbour, () => Promise.resolve()), 100)
  const beside = Array.from({ length: most + 1 }, () => held(tenant))
  const signal = AbortSignal.timeout(5_000)
  while (atWork() <= most && !signal.aborted) await Promise.race([wait(50), once(signal, 'abort')])
  clearInterval(others)
  assert.equal(atWork(), most + 1)
  release()
  await Promise.all(beside)
})

test('what fails by locks in two organizations holds half of the places from then on, one for each, until it passes once', async () => {
  const { shares, atWork, held, release } = opened()
  const failing = (who: string) =>
    shares.run(who, () => Promise.reject(Object.assign(new Error('locked'), { code: '55P03' })), 'tasks.update')
  const [first, ...others] = Array.from({ length: 20 }, () => randomUUID())
  for (const who of [tenant, tenant, neighbour]) await assert.rejects(failing(who))
  const waiting = [first, first, ...others].map((who) => held(who ?? '', 'tasks.update'))
  assert.deepEqual([atWork(), shares.waiting], [6, 15])
  assert.equal(await shares.run(randomUUID(), () => Promise.resolve('done'), 'tags.create'), 'done')
  release()
  await Promise.all(waiting)
  assert.equal(shares.waiting, 0)
})

test('what fails by locks in one organization alone keeps no other from it', async () => {
  const { shares, atWork, held, release } = opened()
  const failing = () => Promise.reject(Object.assign(new Error('locked'), { code: '55P03' }))
  for (let n = 0; n < 3; n++) await assert.rejects(shares.run(tenant, failing, 'tasks.update'))
  const all = Array.from({ length: 12 }, () => held(randomUUID(), 'tasks.update'))
  assert.equal(atWork(), 12)
  release()
  await Promise.all(all)
})

function opened() {
  const shares = new ConnectionQuota({
    connections: 12,
    activeTenants: new ActiveTenants(),
    maxWaiting: 100,
    waitTimeoutMs: 10_000,
  })
  let atWork = 0
  let open = gate()
  return {
    shares,
    atWork: () => atWork,
    held: (who: string, operation?: string) =>
      shares.run(
        who,
        async () => {
          atWork++
          await open.opened
          atWork--
        },
        operation,
      ),
    release: () => open.now(),
    holdAgain() {
      open = gate()
    },
  }
}

function gate() {
  let now = () => {}
  const opened = new Promise<void>((resolve) => {
    now = resolve
  })
  return { opened, now }
}
