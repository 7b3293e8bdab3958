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
    held: (who: string) =>
      shares.run(who, async () => {
        atWork++
        await open.opened
        atWork--
      }),
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
