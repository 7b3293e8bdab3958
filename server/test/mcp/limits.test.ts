import assert from 'node:assert/strict'
import { request } from 'node:http'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from '../../src/db/sql.ts'
import { connectAgent, post, webProject } from '../support/agent.ts'
import { hold } from '../support/holding.ts'
import { until } from '../support/until.ts'
import { created, databaseUrl, startServer } from '../support/world.ts'

const server = await startServer()

const callOf = (name: string, input: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: input },
})
const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` })

test('a call counts as one request against the rate limit, whatever it runs, and 429 says when to come back', async () => {
  const { base } = await startServer({ rateLimit: { requests: 3, windowMs: 3_600_000 } })
  const world = await server.newWorld()
  await webProject(world)
  for (const left of [2, 1, 0]) {
    const { status, headers } = await post(base, callOf('list_projects', { project: 'WEB' }), bearer(world.owner))
    assert.equal(status, 200)
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"default";r=${left};`))
  }
  const { status, headers } = await post(base, callOf('list_projects'), bearer(world.owner))
  assert.equal(status, 429)
  assert.equal(headers.get('x-error-code'), 'rate_limited')
  assert.ok(Number(headers.get('retry-after')) > 3_500)
})

test('a call has one log line and one request in the metrics, which name the tool and its result', async () => {
  const { base, logged } = await startServer()
  const world = await server.newWorld()
  await webProject(world)
  // it has only said where it listens
  logged.length = 0
  await post(base, callOf('list_projects', { project: 'WEB' }), { ...bearer(world.owner), 'x-request-id': 'mine' })
  await post(base, callOf('read_task', { task: 'WEB-99' }), bearer(world.owner), '/mcp/readonly')
  const lines = await until(() => logged.length >= 2 && logged.map((line) => JSON.parse(line)), 'No line is written')
  assert.equal(lines.length, 2)
  const [first, second] = lines
  assert.deepEqual(
    [first.requestId, first.method, first.route, first.status, first.tool, first.refused],
    ['mine', 'POST', '/mcp', 200, 'list_projects', undefined],
  )
  assert.ok(first.operations > 3 && first.memberId === world.owner.memberId && first.orgId === world.orgId)
  assert.deepEqual([second.route, second.tool, second.refused], ['/mcp/readonly', 'read_task', 'not_found'])
  const metrics = await (
    await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer the-token-of-the-operator' } })
  ).text()
  const counted = (route: string) =>
    new RegExp(`http_requests_total\\{method="\\w+",route="${route}",status="200"\\} (\\d+)`).exec(metrics)?.[1]
  assert.equal(counted('/mcp'), '1')
  assert.equal(counted('/mcp/readonly'), '1')
  assert.equal(counted('/api/v1/projects'), undefined)
})

test("an event of an agent's write has the id of the request", async () => {
  const world = await server.newWorld()
  await webProject(world)
  const input = { project: 'WEB', name: 'Told' }
  await post(server.base, callOf('create_task', input), { ...bearer(world.owner), 'x-request-id': 'the-call' })
  const { data } = (await world.owner.get('/events?type=task.created')).body
  assert.deepEqual([data[0].requestId, data[0].actor.memberId], ['the-call', world.owner.memberId])
})

test('an unexpected error shows the id of the request, and no stack or SQL', async () => {
  const world = await server.newWorld()
  await webProject(world)
  const { id } = await world.tag()
  await server.db.rows(sql`update tags set name = '' where org_id = ${world.orgId} and id = ${id}`)
  const headers = { ...bearer(world.owner), 'x-request-id': 'quote-me' }
  const { status, body } = await post(server.base, callOf('list_projects', { project: 'WEB' }), headers)
  assert.equal(status, 200)
  assert.equal(body.result.isError, true)
  assert.equal(
    body.result.content[0].text,
    'The server had an error (request quote-me). Repeat exactly this call once: nothing is done twice.',
  )
})

test('a response has a maximum size, and says where the rest is', async () => {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const long = 'word '.repeat(9_000).trim()
  const task = await world.task({ projectId: project.id, name: 'n'.repeat(255), description: long })
  const body = 'word '.repeat(1_500)
  for (let i = 0; i < 30; i++) await created(world.owner.post(`/tasks/${task.id}/comments`, { body }))
  for (let i = 0; i < 60; i++) await world.task({ projectId: project.id, name: `${'n'.repeat(250)} ${i}` })
  const { call } = await connectAgent(server.base, world.owner.key)
  const overview = (await call('read_task', { task: 'WEB-1' })).text
  assert.ok(overview.length < 9_000, `${overview.length}`)
  assert.match(overview, /set part to description to read all/)
  assert.match(overview, /To read older comments, set part to comments/)
  for (const input of [{ part: 'comments' }, { part: 'description' }, { part: 'history' }]) {
    const { text } = await call('read_task', { task: 'WEB-1', ...input })
    assert.ok(text.length < 24_100, `${text.length}`)
  }
  const pages = []
  for (let page = 1; page <= 4; page++)
    pages.push((await call('read_task', { task: 'WEB-1', part: 'description', page })).text)
  const whole = pages.map((text) => text.replace(/^> /, '').replace(/\nMore results: .*/, '')).join(' ')
  assert.equal(whole.replace(/\s+/g, ' '), long)
  const found = (await call('find_tasks', { limit: 50 })).text
  assert.ok(found.length < 24_100)
  const cursor = /cursor (\S+)$/m.exec(found)?.[1]
  const rest = (await call('find_tasks', { limit: 50, cursor })).text
  assert.equal(rest.match(/^WEB-/gm)?.length, 11)
})

test('a call that would take too many steps is refused, with what to do, and has written nothing', async () => {
  const world = await server.newWorld()
  await webProject(world)
  const tags = Array.from({ length: 40 }, (_, i) => `tag ${i}`)
  for (const name of tags) await world.tag({ name })
  const { call } = await connectAgent(server.base, world.owner.key)
  const { refused, text } = await call('create_task', { project: 'WEB', name: 'Many', tags })
  assert.ok(refused)
  assert.match(text, /Ask for less in one call/)
  assert.equal((await world.owner.get('/tasks')).body.data.length, 0)
})

test('a call that nobody waits for stops, and the same call completes it', async (t) => {
  const own = await startServer()
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const input = { project: 'WEB', name: 'Left', subtasks: ['a', 'b'] }
  const held = await hold(t, databaseUrl, 'select 1 from projects where id = $1 for update', [project.id])
  const headers = { ...bearer(world.owner), 'content-type': 'application/json' }
  const left = request(`${own.base}/mcp`, { method: 'POST', headers })
  left.on('error', () => {})
  left.end(JSON.stringify(callOf('create_task', input)))
  await held.waiters(1)
  left.destroy()
  const connections = promisify(own.app.server.getConnections.bind(own.app.server))
  await until(async () => (await connections()) === 0, 'Nobody notes that the client left')
  await held.release()
  const tasks = await until(async () => {
    const { data } = (await world.owner.get('/tasks')).body
    return data.length > 0 && data
  }, 'The task was never made')
  const { call } = await connectAgent(server.base, world.owner.key)
  const subtasks = async () => (await world.owner.get(`/tasks/${tasks[0].id}/subtasks`)).body.total
  // far longer than what would follow takes to begin
  for (let i = 0; i < 20; i++) await own.api(world.owner.key).get('/tags')
  assert.equal(await subtasks(), 0)
  assert.match((await call('create_task', input)).text, /^Created WEB-1 Left/)
  assert.equal(await subtasks(), 2)
  assert.equal((await world.owner.get('/tasks')).body.data.length, 1)
})

test('an agent in a loop makes no other organization wait for its turn', async () => {
  const [noisy, quiet] = [await server.newWorld(), await server.newWorld()]
  await webProject(noisy)
  await webProject(quiet)
  const inFlight = 40
  let [done, over] = [0, false]
  const loop = async () => {
    while (!over) {
      await post(server.base, callOf('list_projects', { project: 'WEB' }), bearer(noisy.owner))
      done++
    }
  }
  const loops = Array.from({ length: inFlight }, loop)
  await until(() => done > inFlight, 'The loop does not get going')
  const before = done
  for (let i = 0; i < 10; i++) assert.equal((await quiet.owner.get('/projects')).status, 200)
  const meanwhile = done - before
  over = true
  await Promise.all(loops)
  // in turn with all that are in flight it would be as many for each
  assert.ok(meanwhile < 5 * inFlight, `${meanwhile} calls while another one made 10 requests`)
})

test('beside others, subtasks that agents add wait for the places that an organization has for many writes at once', async (t) => {
  const [noisy, quiet] = [await server.newWorld(), await server.newWorld()]
  const { project } = await webProject(noisy)
  const task = await noisy.task({ projectId: project.id })
  const held = await hold(t, databaseUrl, 'select 1 from projects where id = $1 for update', [project.id])
  let [asked, over] = [0, false]
  const besides = async () => {
    while (!over) {
      assert.equal((await quiet.owner.get('/projects')).status, 200)
      asked++
    }
  }
  const beside = besides()
  await until(() => asked > 0, 'The other organization does not get going')
  const atWork = Math.ceil(Math.max(2, availableParallelism()) / 2)
  let done = 0
  const adding = Array.from({ length: atWork + 2 }, async (_, i) => {
    const input = { task: task.key, names: [`One ${i}`, `Two ${i}`] }
    const { body } = await post(server.base, callOf('add_subtasks', input), bearer(noisy.owner))
    done++
    return body.result.isError ?? false
  })
  await held.waiters(atWork)
  // what they could have sent meanwhile
  const before = asked
  await until(() => asked > before + 300, 'The other organization is not answered')
  assert.equal((await held.waiters(atWork)).length, atWork)
  assert.equal(done, 0)
  await held.release()
  assert.deepEqual(new Set(await Promise.all(adding)), new Set([false]))
  over = true
  await beside
})
