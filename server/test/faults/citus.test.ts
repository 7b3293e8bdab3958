import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { afterwards, file, type Scope } from '../support/afterwards.ts'
import { openStream } from '../support/event-streams.ts'
import { citusCluster } from '../support/slow/citus-cluster.ts'
import { serving } from '../support/slow/processes.ts'
import { until } from '../support/until.ts'
import { apiOf, created, operatorToken } from '../support/world.ts'
import { assertExactlyOnce, writers } from '../support/writers.ts'

const wanted = (process.env.TEST_CITUS ?? '') !== ''
const options = wanted ? {} : { skip: 'only where TEST_CITUS is set' }
const cluster = wanted ? await citusCluster(file) : undefined
const clients = 8

test(
  'an organization that moves to another node, and then gets its own shard, loses nothing, does nothing twice, and its events have no gap',
  options,
  async (t) => {
    const { cluster, server } = await servingOnCluster(t)
    const tenant = await working(t, server.base)
    const moving = async (move: string, values: unknown[]) => {
      await tenant.writing.more(50)
      let over = false
      const moved = cluster.ask(move, values).finally(() => {
        over = true
      })
      let longestMs = 0
      while (!over) {
        const beganMs = performance.now()
        await tenant.writing.more(1)
        longestMs = Math.max(longestMs, performance.now() - beganMs)
      }
      await moved
      return Math.round(longestMs)
    }
    for (let round = 1; round <= 2; round++) {
      const { shard, on, other } = await cluster.placeOf(tenant.orgId)
      const values = [shard, on.host, on.port, other.host, other.port]
      const move = "select citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := 'block_writes')"
      t.diagnostic(`moved: the longest time without an answer was ${await moving(move, values)} ms`)
      assert.equal((await cluster.placeOf(tenant.orgId)).on.port, other.port)
    }
    const isolate =
      "select isolate_tenant_to_new_shard('organizations', $1::uuid, 'CASCADE', shard_transfer_mode := 'block_writes')"
    const isolatedMs = await moving(isolate, [tenant.orgId])
    t.diagnostic(`a shard of its own: the longest time without an answer was ${isolatedMs} ms`)
    await tenant.writing.more(50)
    await tenant.assertWhole()
  },
)

test(
  'while a node is down its organizations get 503 with Retry-After, others continue, and all is complete when it is back',
  options,
  async (t) => {
    const { cluster, server } = await servingOnCluster(t)
    const [lost, other] = await onTwoNodes(t, server.base, cluster)
    const { on } = await cluster.placeOf(lost.orgId)
    await Promise.all([lost.writing.more(50), other.writing.more(50)])
    await cluster.kill(on)
    const refused = await until(async () => {
      const reply = await lost.owner.get('/tags')
      return reply.status !== 200 && reply
    }, 'Nothing is refused')
    assert.equal(refused.status, 503)
    assert.ok(refused.headers.get('retry-after'))
    assert.deepEqual(Object.keys(refused.body), ['error'])
    const beganMs = performance.now()
    await other.writing.more(20)
    t.diagnostic(`20 writes beside it took ${Math.round(performance.now() - beganMs)} ms`)
    assert.equal((await other.owner.get('/tags')).status, 200)
    assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
    await lost.writing.more(50)
    t.diagnostic(`50 writes of the others were answered ${Math.round(performance.now() - beganMs)} ms after that`)
    const [, { unanswered }] = await Promise.all([lost.assertWhole(), other.assertWhole()])
    assert.equal(unanswered, 0, 'Others were refused too')
  },
)

type Cluster = Awaited<ReturnType<typeof citusCluster>>

async function servingOnCluster(t: Scope) {
  if (cluster === undefined) throw new Error('There is no cluster')
  const server = await serving(t, { DATABASE_URL: cluster.url, OPERATOR_TOKEN: operatorToken })
  return { cluster, server }
}

/** Two organizations at work that are on two nodes. */
async function onTwoNodes(t: Scope, base: string, cluster: Cluster) {
  const first = await working(t, base)
  const { on } = await cluster.placeOf(first.orgId)
  return until(async () => {
    const other = await working(t, base)
    return (await cluster.placeOf(other.orgId)).on.port !== on.port && ([first, other] as const)
  }, 'All organizations are on one node')
}

/** A new organization with clients that write, and a reader of its stream of events that comes back when it is sent away. */
async function working(t: Scope, base: string) {
  const operator = apiOf(`${base}/api/v1`, operatorToken)
  const founding = { name: 'An organization', owner: { name: 'Olivia Owner', email: 'olivia@example.com' } }
  const { organization, apiKey } = await created(operator.post('/organizations', founding))
  const owner = apiOf(`${base}/api/v1`, apiKey.secret)
  const project = await created(owner.post('/projects', { name: 'A project' }))
  const task = await created(owner.post('/tasks', { projectId: project.id, name: 'A task' }))
  const writing = writers(clients, apiKey.secret, { projectId: project.id, taskId: task.id })
  afterwards(t, () => writing.abandon())
  writing.running(Promise.resolve(base))
  const following = follow(t, base, apiKey.secret)
  return {
    orgId: organization.id as string,
    ...{ owner, writing, sequences: following.sequences },
    async assertWhole() {
      const { acknowledged, unanswered } = await writing.finish()
      await assertExactlyOnce(owner, acknowledged, [JSON.stringify(task)])
      const { latest } = (await owner.get('/events/head')).body
      await until(() => following.sequences.length >= latest, 'The stream does not come to the end')
      assert.deepEqual(
        following.sequences,
        Array.from({ length: latest }, (_, i) => i + 1),
      )
      return { unanswered }
    },
  }
}

function follow(t: Scope, base: string, key: string) {
  const sequences: number[] = []
  let stopped = false
  let stream: Awaited<ReturnType<typeof openStream>> | undefined
  const reading = (async () => {
    while (!stopped) {
      const opened = await openStream(base, key, { query: `?after=${sequences.at(-1) ?? 0}` }).catch(() => undefined)
      stream = opened
      // after half a minute it is read anew in any case
      await opened
        ?.until(() => {
          for (const { data } of opened.seen.events.splice(0)) sequences.push(data.sequence)
          return stopped || opened.seen.over
        })
        .catch(() => opened.close())
      await wait(100)
    }
  })()
  afterwards(t, async () => {
    stopped = true
    stream?.close()
    await reading.catch(() => {})
  })
  return { sequences }
}
