import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { serving } from '../support/slow/processes.ts'
import { primaryAndStandby } from '../support/slow/replicas.ts'
import { until } from '../support/until.ts'
import { type Api, apiOf, created } from '../support/world.ts'
import { assertExactlyOnce, writers } from '../support/writers.ts'

const clients = 20

test('when the primary dies and its synchronous standby takes over, nothing is lost, nothing is done twice, and writes continue without a restart', async (t) => {
  const { primary, standby, address, writing, owner, before } = await writingTo(t, { synchronous: true })
  await writing.more(60)
  await primary.kill()
  await standby.ask('select pg_promote()')
  address.lead(standby.host)
  const beganMs = performance.now()
  await writing.more(1)
  t.diagnostic(`the first write after the promotion was answered ${Math.round(performance.now() - beganMs)} ms later`)
  await writing.more(60)
  const { acknowledged, unanswered } = await writing.finish()
  assert.ok(unanswered > 0, 'no request met a dead primary')
  await assertExactlyOnce(owner, acknowledged, before)
})

test('writes that an asynchronous standby did not have yet are lost from the end, and happen once when they are sent again', async (t) => {
  const { primary, standby, address, writing, owner } = await writingTo(t, { synchronous: false })
  await writing.more(60)
  // it hears no more, and nobody waits for it
  await standby.ask("alter system set primary_conninfo = ''")
  await standby.ask('select pg_reload_conf()')
  const heard = () => standby.ask<boolean>('select count(*) = 0 from pg_stat_wal_receiver')
  await until(heard, 'The standby still listens')
  await writing.more(60)
  await primary.kill()
  await standby.ask('select pg_promote()')
  address.lead(standby.host)
  await writing.more(60)
  const { acknowledged } = await writing.finish()
  const sequences = await sequencesOf(owner)
  assert.deepEqual(
    sequences,
    sequences.map((_, i) => i + 1),
  )
  const again = []
  for (const write of acknowledged) {
    // as a client does that kept what it sent
    const reply = await owner.post(write.path, write.body, { 'idempotency-key': write.key })
    assert.equal(reply.status, 201)
    again.push({ ...write, text: reply.text, replayed: reply.headers.get('idempotent-replayed') })
  }
  assert.ok(again.filter(({ replayed }) => replayed === null).length >= 40, 'too little was lost')
  await assertExactlyOnce(owner, again, [(await owner.get('/tasks/AP-1')).text])
})

async function sequencesOf(owner: Api): Promise<number[]> {
  const found: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await owner.get(`/events?after=0&limit=100${cursor}`)
    found.push(...body.data.map(({ sequence }: { sequence: number }) => sequence))
    if (body.pagination.nextCursor === null) return found
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

/** A server on a primary with a standby, and clients that write. */
async function writingTo(t: Scope, { synchronous }: { synchronous: boolean }) {
  const replicas = await primaryAndStandby(t, { synchronous })
  const server = await serving(t, { DATABASE_URL: replicas.address.url })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const project = await created(owner.post('/projects', { name: 'A project' }))
  const task = await created(owner.post('/tasks', { projectId: project.id, name: 'A task' }))
  const writing = writers(clients, server.ownersKey, { projectId: project.id, taskId: task.id })
  afterwards(t, () => writing.abandon())
  writing.running(Promise.resolve(server.base))
  return { ...replicas, writing, owner, before: [JSON.stringify(task)] }
}
