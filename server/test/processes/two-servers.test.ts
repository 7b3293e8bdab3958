import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { file } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { type Api, apiOf, created, operatorToken, type Reply } from '../support/world.ts'

const settings = { ...(await onMigratedDatabase(file)), OPERATOR_TOKEN: operatorToken }
const url = settings.DATABASE_URL
const [one, other] = await Promise.all([serving(file, settings), serving(file, settings)])
const bases = [`${one.base}/api/v1`, `${other.base}/api/v1`] as const

test('two copies of a request to two servers on one database create one row', async (t) => {
  const { apis } = await newOrganization()
  const { id: projectId } = await created(apis[0].post('/projects', { name: 'A project' }))
  const held = await hold(t, url, 'select 1 from projects where id = $1 for update', [projectId])
  const sent = twins(25, apis, (api) => api.post('/tasks', { projectId, name: 'A task' }, { 'idempotency-key': 'k' }))
  // the first of one server runs, the first of the other waits for it
  await held.waiters(2)
  await held.release()
  const replies = await sent
  assertOneRan(replies)
  const { body } = await apis[0].get('/tasks')
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [replies[0]?.body.id],
  )
})

test('an expired key that two servers take over at once is taken over once', async (t) => {
  const { apis, orgId } = await newOrganization()
  const { id: projectId } = await created(apis[0].post('/projects', { name: 'A project' }))
  const { id: taskId } = await created(apis[0].post('/tasks', { projectId, name: 'A task' }))
  const record = (api: Api) => api.post('/time-entries', { taskId, durationSeconds: 60 }, { 'idempotency-key': 'k' })
  const first = await created(record(apis[0]))
  await expireKeys(orgId)
  // both have seen that it expired before either may take it
  const held = await hold(t, url, 'select 1 from idempotency_keys where org_id = $1 for update', [orgId])
  const sent = twins(10, apis, record)
  await held.waiters(2)
  await held.release()
  const replies = await sent
  assertOneRan(replies)
  const { body } = await apis[1].get('/time-entries')
  assert.deepEqual(body.data, [replies[0]?.body, first])
})

test('a key that one server revokes is refused by the other', async () => {
  const { apis } = await newOrganization()
  const key = await created(apis[0].post('/api-keys', { name: 'A key' }))
  const holder = apiOf(bases[1], key.secret)
  assert.equal((await holder.get('/me')).status, 200)
  assert.equal((await apis[0].delete(`/api-keys/${key.id}`)).status, 204)
  // word of it may still be on its way
  let status = 200
  while (status === 200) status = (await holder.get('/me')).status
  assert.equal(status, 401)
})

test('a cursor of one server works on the other', async () => {
  const { apis } = await newOrganization()
  const { id: projectId } = await created(apis[0].post('/projects', { name: 'A project' }))
  for (const name of ['First', 'Second']) await created(apis[0].post('/tasks', { projectId, name }))
  const page = await apis[0].get('/tasks?limit=1')
  const next = await apis[1].get(`/tasks?cursor=${page.body.pagination.nextCursor}`)
  assert.deepEqual(
    [...page.body.data, ...next.body.data].map(({ name }: { name: string }) => name),
    ['Second', 'First'],
  )
})

/** A new organization, and its owner's client of each server. */
async function newOrganization() {
  const operator = apiOf(bases[0], operatorToken)
  const owner = { name: 'Olivia Owner', email: 'olivia@example.com' }
  const { apiKey, organization } = await created(operator.post('/organizations', { name: 'An organization', owner }))
  return { orgId: organization.id, apis: [apiOf(bases[0], apiKey.secret), apiOf(bases[1], apiKey.secret)] as const }
}

async function expireKeys(orgId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client
    .query('update idempotency_keys set expires_at = created_at where org_id = $1', [orgId])
    .finally(() => client.end())
}

/** The same request `count` times to each server, all at once. */
function twins<Client>(count: number, clients: readonly Client[], send: (client: Client) => Promise<Reply>) {
  return Promise.all(Array.from({ length: count }, () => clients.map(send)).flat())
}

function assertOneRan(replies: Reply[]): void {
  assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.equal(replies[0]?.status, 201)
  const replayed = replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
  assert.equal(replayed.length, replies.length - 1)
}
