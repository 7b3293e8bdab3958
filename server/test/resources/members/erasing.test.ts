import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { eraseAll } from '../../../src/jobs/erasing.ts'
import { purge } from '../../../src/jobs/purge.ts'
import { takeNamesOff } from '../../../src/resources/members/taking-names-off.ts'
import { named, rememberedValues, tablesWith } from '../../support/catalogue.ts'
import { ranOnce } from '../../support/running.ts'
import { apiOf, created, migratedDatabase, operatorToken, startServer, type World } from '../../support/world.ts'

// of its own, because the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, base, newWorld, logged } = await startServer({ url })
after(drop)

/** A word that stands nowhere but in a name, an address and the names of keys. */
const canary = 'quollfrost'
const person = () => ({ name: 'Xanthippe Quollfrost', email: `quollfrost-${randomUUID()}@example.com` })

const inAMinute = () => new Date(Date.now() + 61_000)
const takenOff = async (now?: Date) => assert.deepEqual([...(await ranOnce(db, (run) => eraseAll(run), now))], [])
const left = ({ orgId }: World) => db.rows(sql`select id from erasures where org_id = ${orgId}`)

/** Where the word stands: tables, and what PostgreSQL knows of their values. */
async function whereabouts(): Promise<string[]> {
  const found: string[] = []
  const hex = Buffer.from(canary).toString('hex')
  for (const table of await tablesWith(db, 'org_id')) {
    const rows = await db.rows(sql`
      select 1 from ${named(table)} searched where searched::text ilike ${`%${canary}%`}
        or searched::text like ${`%${hex}%`} or searched::text like ${`%51${hex.slice(2)}%`} limit 1`)
    if (rows.length > 0) found.push(table)
  }
  const known = (await rememberedValues(db)).filter(({ values }) => new RegExp(`${canary}|${hex}`, 'i').test(values))
  return [...found, ...new Set(known.map(({ of }) => `statistics of ${of}`))]
}

interface Group {
  group: { member: { id: string; name: string } }
  seconds: number
}

/** Somebody who did something of everything, and is named in as many places as there are. */
async function livedThrough(world: World) {
  const { owner, project, workspace, task, subtask, timeEntry } = world
  const body = person()
  const once = { 'idempotency-key': randomUUID() }
  const made = await created(owner.post('/members', body, once))
  const key = await created(
    owner.post('/api-keys', { name: 'Laptop of Quollfrost', memberId: made.id }, { 'idempotency-key': 'her-key' }),
  )
  const her = apiOf(`${base}/api/v1`, key.secret, made.id)
  const { id: projectId } = await project()
  await created(
    owner.post(`/projects/${projectId}/members`, { memberId: made.id, role: 'lead' }, { 'idempotency-key': 'joins' }),
  )
  const { id: workspaceId } = await workspace({ projectId })
  const { id: taskId } = await task({ projectId, workspaceId, assigneeIds: [made.id] })
  await subtask(taskId, { assigneeId: made.id })
  await created(her.post(`/tasks/${taskId}/comments`, { body: 'Done by noon' }))
  await timeEntry({ taskId, memberId: made.id, durationSeconds: 3_600 })
  await created(her.post('/timer/start', { taskId }))
  const renamed = { name: 'Xanthippe Quollfrost-Amsel', email: `quollfrost.amsel-${randomUUID()}@example.com` }
  const edit = { method: 'PATCH', path: `/members/${made.id}`, body: renamed }
  const bulk = await owner.post('/bulk', { operations: [edit] }, { 'idempotency-key': 'she-marries' })
  assert.equal(bulk.status, 200)
  await owner.post(`/api-keys/${key.id}/rotate`, {}, { 'idempotency-key': 'rotated' })
  const { id: webhookId } = await created(owner.post('/webhooks', { url: 'https://example.com/hook' }))
  const [event] = await db.rows<{ sequence: number }>(sql`
    select sequence from events where org_id = ${world.orgId} and type = 'member.created' and resource_id = ${made.id}`)
  const answer = 'Thank you for Xanthippe Quollfrost'
  const attempts = JSON.stringify([{ at: new Date().toISOString(), status: 200, ms: 3, error: null, answer }])
  await world.delivery(webhookId, { sequence: event?.sequence, status: 'delivered', attempts })
  return { id: made.id as string, body, once, key, her, projectId, taskId }
}

test('no column of any table, no response and no line of the log names an erased member', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id, body, once, key, projectId, taskId } = await livedThrough(world)
  await db.rows(sql`analyze members, api_keys, idempotency_keys`)
  for (const table of ['members', 'api_keys', 'events', 'idempotency_keys', 'deliveries'])
    assert.ok((await whereabouts()).includes(table), table)
  assert.ok((await whereabouts()).includes('statistics of members.email'))

  const erased = await owner.post(`/members/${id}/erase`, {}, { 'idempotency-key': 'forget-her' })
  assert.equal(erased.status, 200)
  const { name, email, timezone } = erased.body
  assert.deepEqual([name, email, timezone], ['Former member', `${id}@former-member.invalid`, null])
  await takenOff()
  await takenOff(inAMinute())
  assert.deepEqual([await left(world), await whereabouts()], [[], []])

  const paths = [
    ...[
      '/events?limit=100',
      '/members',
      '/api-keys',
      `/projects/${projectId}/members`,
      '/tasks?include=assignees,creator',
    ],
    ...[`/tasks/${taskId}/comments?include=author`, '/time-entries?include=member', '/reports/time?groupBy=member'],
    `/tasks/${taskId}/history?include=member`,
  ]
  for (const path of paths) {
    const { status, text } = await owner.get(path)
    assert.equal(status, 200, `${path} ${text}`)
    assert.ok(!text.toLowerCase().includes(canary), path)
  }
  const replayed = await owner.post('/members', body, once)
  assert.deepEqual(
    [replayed.status, replayed.headers.get('idempotent-replayed'), replayed.body.name, replayed.body.email],
    [201, 'true', 'Former member', `${id}@former-member.invalid`],
  )
  const asked = { name: 'Laptop of Quollfrost', memberId: id }
  const sealed = await owner.post('/api-keys', asked, { 'idempotency-key': 'her-key' })
  assert.deepEqual(
    [sealed.status, sealed.headers.get('idempotent-replayed'), sealed.body.name, sealed.body.secret],
    [201, 'true', 'Key of a former member', key.secret],
  )
  assert.ok(!logged.join('').toLowerCase().includes(canary))
})

test('the response to creating an organization for a member who is erased is replayed without the name', async () => {
  const operator = apiOf(`${base}/api/v1`, operatorToken)
  const asked = { name: 'Quiet Ltd', owner: person() }
  const once = { 'idempotency-key': randomUUID() }
  const founded = await created(operator.post('/organizations', asked, once))
  const founder = apiOf(`${base}/api/v1`, founded.apiKey.secret)
  const other = { name: 'Another Owner', email: 'other@example.com', role: 'owner' }
  const second = await created(founder.post('/members', other))
  const key = await created(founder.post('/api-keys', { name: 'Second', memberId: second.id }))
  const own = await created(apiOf(`${base}/api/v1`, key.secret).post(`/api-keys/${key.id}/rotate`))
  const erased = await apiOf(`${base}/api/v1`, own.secret).post(`/members/${founded.owner.id}/erase`)
  assert.equal(erased.status, 200)
  const again = await operator.post('/organizations', asked, once)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  assert.deepEqual([again.body.owner.name, again.text.includes(canary)], ['Former member', false])
})

test('sums still count what an erased member did, and show it as done by a former member', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id } = await livedThrough(world)
  const sums = async () => {
    const { body } = await owner.get('/reports/time?groupBy=member')
    return body.data.map(({ group: { member }, seconds }: Group) => [member.id, member.name, seconds])
  }
  await owner.patch(`/members/${id}`, { status: 'deactivated' })
  const before = await sums()
  assert.equal((await owner.post(`/members/${id}/erase`)).status, 200)
  assert.deepEqual(
    await sums(),
    before.map(([member, name, seconds]: unknown[]) => [member, member === id ? 'Former member' : name, seconds]),
  )
})

test("an erased member's keys are revoked at once, its timer stops, and it loses its assignments", async () => {
  const world = await newWorld()
  const { owner } = world
  const { id, her, key, taskId } = await livedThrough(world)
  assert.equal((await her.get('/me')).status, 200)
  assert.equal((await owner.post(`/members/${id}/erase`)).status, 200)
  assert.equal((await her.get('/me')).status, 401)
  assert.notEqual((await owner.get(`/api-keys/${key.id}`)).body.revokedAt, null)
  assert.deepEqual((await owner.get(`/time-entries?running=true&memberId=${id}`)).body.data, [])
  assert.deepEqual((await owner.get(`/tasks/${taskId}`)).body.assigneeIds, [])
  assert.equal((await owner.get(`/members/${id}`)).status, 404)
})

test('a member who was removed long ago can be erased, but not twice, and not restored; the last owner cannot be erased, and admins cannot erase', async () => {
  const world = await newWorld()
  const { owner, admin, member } = world
  assert.equal((await admin.post(`/members/${member.memberId}/erase`)).status, 403)
  assert.equal((await owner.post(`/members/${owner.memberId}/erase`)).headers.get('x-error-code'), 'last_owner')
  assert.equal((await owner.delete(`/members/${member.memberId}`)).status, 204)
  const longAgo = new Date(Date.now() - 90 * 86_400_000).toISOString()
  await db.rows(sql`
    update members set deleted_at = ${longAgo} where org_id = ${world.orgId} and id = ${member.memberId}`)
  assert.equal((await owner.post(`/members/${member.memberId}/erase`)).status, 200)
  const again = await owner.post(`/members/${member.memberId}/erase`)
  assert.deepEqual([again.status, again.headers.get('x-error-code')], [412, 'member_erased'])
  assert.equal((await owner.post(`/members/${admin.memberId}/erase`)).status, 200)
  const back = await owner.post(`/members/${admin.memberId}/restore`)
  assert.deepEqual([back.status, back.headers.get('x-error-code')], [412, 'member_erased'])
})

test('a client that asks again for a list that showed the name gets a new response', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id, projectId, taskId } = await livedThrough(world)
  const paths = [
    ...['/tasks?include=assignees', `/projects/${projectId}/members`, '/members', '/projects?include=members'],
    ...[`/tasks/${taskId}/history?include=member`, '/time-entries?include=member', '/events?type=member.*&limit=100'],
  ]
  const tags = new Map<string, string>()
  for (const path of paths) {
    await owner.get(path)
    tags.set(path, (await owner.get(path)).headers.get('etag') ?? '')
  }
  assert.equal((await owner.post(`/members/${id}/erase`)).status, 200)
  for (const [path, etag] of tags) assert.equal((await owner.get(path, { 'if-none-match': etag })).status, 200, path)
  const events = '/events?type=member.*&limit=100'
  const etag = (await owner.get(events)).headers.get('etag') ?? ''
  await takenOff()
  assert.equal((await owner.get(events, { 'if-none-match': etag })).status, 200)
})

test('the events of a key that expired, was revoked later and is purged do not have the name either', async () => {
  const world = await newWorld()
  const { owner, orgId } = world
  const { id: memberId } = await created(owner.post('/members', person()))
  const { id } = await created(owner.post('/api-keys', { name: 'Laptop of Quollfrost', memberId }))
  const expiresAt = new Date(Date.now() - 29 * 86_400_000).toISOString()
  await db.rows(sql`update api_keys set expires_at = ${expiresAt} where org_id = ${orgId} and id = ${id}`)
  assert.equal((await owner.delete(`/api-keys/${id}`)).status, 204)
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  assert.deepEqual([...(await ranOnce(db, (run) => purge(run), inTwoDays))], [])
  assert.deepEqual(await db.rows(sql`select id from api_keys where org_id = ${orgId} and id = ${id}`), [])
  assert.equal((await owner.post(`/members/${memberId}/erase`)).status, 200)
  while ((await left(world)).length > 0) await takenOff(inAMinute())
  const { data } = (await owner.get(`/events?type=api_key.revoked`)).body
  assert.equal(data.length, 1)
  assert.ok(!JSON.stringify(data).includes('Quollfrost'))
})

test('the many events of a member are rewritten in batches, and an interrupted erasure continues', async () => {
  const world = await newWorld()
  const { orgId, owner } = world
  const { id } = await livedThrough(world)
  await db.rows(sql`
    insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
    select org_id, sequence + 1000 * n, 'member.updated', request_id, resource_id, changes, snapshot, created_at
    from events, generate_series(1, 900) n
    where org_id = ${orgId} and type = 'member.created' and resource_id = ${id}`)
  await db.rows(sql`
    update event_counters set last_sequence = (select max(sequence) from events where org_id = ${orgId})
    where org_id = ${orgId}`)
  const naming = async () => {
    const [row] = await db.rows<{ count: number }>(sql`
      select count(*)::int as count from events where org_id = ${orgId} and snapshot::text ilike ${`%${canary}%`}`)
    return row?.count ?? 0
  }
  assert.equal((await owner.post(`/members/${id}/erase`)).status, 200)
  const turn = (now = new Date()) => db.transaction((tx) => takeNamesOff(tx, orgId, 100, now))
  for (let before = await naming(); before > 700; ) {
    const cut = db.transaction(async (tx) => {
      await takeNamesOff(tx, orgId, 100, new Date())
      throw new Error('The process is gone')
    })
    await assert.rejects(cut)
    assert.equal(await naming(), before, 'a turn is done as a whole or not at all')
    assert.equal(await turn(), true)
    const now = await naming()
    assert.ok(now < before && now >= before - 100, `${before} ${now}`)
    before = now
  }
  await takenOff()
  assert.equal(await naming(), 0)
  assert.equal((await left(world)).length, 1)
  await takenOff(inAMinute())
  assert.deepEqual(await left(world), [])
})
