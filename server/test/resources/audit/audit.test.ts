import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../../src/access/keys.ts'
import { mostOfHour, RefusedSignIns } from '../../../src/access/refused-sign-ins.ts'
import { newId } from '../../../src/db/ids.ts'
import { sql } from '../../../src/db/sql.ts'
import { forget } from '../../../src/jobs/audit-retention.ts'
import { eraseAll } from '../../../src/jobs/erasing.ts'
import { deleteOldEvents } from '../../../src/jobs/retention.ts'
import { changeByJob } from '../../../src/operations/changes.ts'
import { eraseMember, lockForErasure } from '../../../src/resources/members/erasing.ts'
import { ranOnce } from '../../support/running.ts'
import { withinQuarterHour } from '../../support/until.ts'
import { type Api, apiOf, created, migratedDatabase, startServer, type World } from '../../support/world.ts'

// of its own, because the jobs look at all organizations
const { url, drop } = await migratedDatabase()
const { db, base, newWorld, authenticator } = await startServer({ url })
after(drop)

interface Entry {
  sequence: number
  type: string
  actor: { kind: string; memberId: string | null; apiKeyId: string | null }
  resource: { id: string; name: string | null }
  changes: Record<string, { from?: unknown; to?: unknown }>
  createdAt: string
}

const acts = async (api: Api, query = ''): Promise<Entry[]> => (await api.get(`/audit?limit=100${query}`)).body.data
const refused = async (api: Api, query = '') => (await api.get(`/audit/refused-sign-ins?limit=100${query}`)).body

const days = (count: number) => count * 86_400_000
const inDays = (count: number) => new Date(Date.now() + days(count))
const kept = { eventRetentionMs: days(30), auditRetentionMs: days(365) }

/** What the audit is about, and what it is not. */
async function administered(world: World) {
  const { owner, admin, project, task } = world
  const robot = await created(owner.post('/members', { name: 'Robot Quollfrost', email: 'robot@example.com' }))
  const key = await created(admin.post('/api-keys', { name: 'For the robot', memberId: robot.id }))
  await created(owner.post(`/api-keys/${key.id}/rotate`, {}))
  await owner.delete(`/api-keys/${key.id}`)
  await owner.patch(`/members/${robot.id}`, { role: 'admin' })
  await owner.patch('/organization', { settings: { overlapPolicy: 'reject' } })
  const webhook = await created(owner.post('/webhooks', { url: 'https://example.com/hook' }))
  await owner.patch(`/webhooks/${webhook.id}`, { url: 'https://example.com/other' })
  const { id: projectId } = await project({ name: 'Moon' })
  await created(owner.post(`/projects/${projectId}/members`, { memberId: world.member.memberId, role: 'lead' }))
  const { id: taskId } = await task({ projectId })
  await owner.patch(`/tasks/${taskId}`, { name: 'Not for the audit' })
  await owner.delete(`/projects/${projectId}`)
  await owner.post(`/projects/${projectId}/restore`)
  return { robot, key, projectId }
}

test('the audit says who did what with keys, roles, members, settings and webhooks, what was deleted, and nothing else', async () => {
  const world = await newWorld()
  const { owner, admin } = world
  const from = (await acts(owner))[0]?.sequence ?? 0
  const { robot, key } = await administered(world)
  const found = (await acts(owner)).filter(({ sequence }) => sequence > from).toReversed()
  assert.deepEqual(
    found.map(({ type }) => type),
    [
      ...[
        'member.created',
        'api_key.created',
        'api_key.updated',
        'api_key.created',
        'api_key.revoked',
        'member.updated',
      ],
      ...['organization.updated', 'webhook.created', 'webhook.updated', 'project_member.created'],
      ...['project_member.created', 'project.deleted', 'project.restored'],
    ],
  )
  const made = found.find(({ type }) => type === 'api_key.created')
  const { apiKey } = (await admin.get('/me')).body
  assert.deepEqual(made?.actor, { kind: 'member', memberId: admin.memberId, apiKeyId: apiKey.id })
  assert.deepEqual([made?.resource.id, made?.resource.name], [key.id, 'For the robot'])
  const promoted = found.find(({ type }) => type === 'member.updated')
  assert.deepEqual([promoted?.resource.id, promoted?.changes.role], [robot.id, { from: 'member', to: 'admin' }])
})

test('owners and admins can read the audit and others cannot, and acts of the operator are shown as such', async () => {
  const world = await newWorld()
  const { orgId, owner, admin, member } = world
  for (const path of ['/audit', '/audit/refused-sign-ins']) {
    const statuses = [owner, admin, member].map(async (api) => (await api.get(path)).status)
    assert.deepEqual(await Promise.all(statuses), [200, 200, 403])
  }
  await changeByJob(db, orgId, 'command-line', async (tx, emit, now) =>
    eraseMember({ db: tx, orgId, emit, now }, await lockForErasure(tx, orgId, member.memberId)),
  )
  const [last] = await acts(owner)
  assert.deepEqual([last?.type, last?.actor], ['member.erased', { kind: 'operator', memberId: null, apiKeyId: null }])
  const { body } = await owner.get('/audit?include=member&limit=100')
  assert.equal(body.data.at(-2).member, null)
  assert.ok(body.data.some((entry: { member: { name: string } | null }) => entry.member?.name === 'Olivia Owner'))
})

test('the audit can be filtered by type, actor and time, page by page, newest first', async () => {
  const world = await newWorld()
  const { owner, admin } = world
  await administered(world)
  const all = await acts(owner)
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
  )
  const paged: Entry[] = []
  for (let cursor = ''; ; ) {
    const { body } = await owner.get(`/audit?limit=3${cursor}`)
    paged.push(...body.data)
    if (body.pagination.nextCursor === null) break
    assert.equal(body.data.length, 3)
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
  assert.deepEqual(paged, all)
  const moment = all[4]?.createdAt ?? ''
  const filters: [query: string, matches: (entry: Entry) => boolean][] = [
    ['&type=api_key.*', ({ type }) => type.startsWith('api_key.')],
    ['&type=member.updated,webhook.*', ({ type }) => type === 'member.updated' || type.startsWith('webhook.')],
    [`&actorId=${admin.memberId}`, ({ actor }) => actor.memberId === admin.memberId],
    [`&createdAfter=${moment}`, ({ createdAt }) => createdAt >= moment],
    [`&createdBefore=${moment}`, ({ createdAt }) => createdAt < moment],
    ['&type=task_type.restored', () => false],
  ]
  for (const [query, matches] of filters) assert.deepEqual(await acts(owner, query), all.filter(matches), query)
  const events = (await owner.get('/events?limit=2')).body.pagination.nextCursor
  assert.equal((await owner.get(`/audit?cursor=${events}`)).status, 422)
})

test('an act stays for a year, after its event is gone without names and texts; then it is removed', async () => {
  const world = await newWorld()
  const { orgId, owner } = world
  await administered(world)
  const before = await acts(owner)
  const later = (count: number) => ranOnce(db, (run) => deleteOldEvents(run, kept.eventRetentionMs, 7), inDays(count))
  assert.deepEqual([...(await later(31))], [])
  assert.deepEqual(await db.rows(sql`select sequence from events where org_id = ${orgId}`), [])
  const after = await acts(owner)
  const bare = ({ resource, changes, ...entry }: Entry) => [entry, resource.id, Object.keys(changes)]
  assert.deepEqual(after.map(bare), before.map(bare))
  assert.deepEqual(
    after.flatMap(({ resource }) => resource.name ?? []),
    [],
  )
  const [moved] = after.filter(({ type }) => type === 'webhook.updated')
  assert.deepEqual(moved?.changes, { url: {} })
  const [promoted] = after.filter(({ type }) => type === 'member.updated')
  assert.deepEqual(promoted?.changes.role, { from: 'member', to: 'admin' })
  const [row] = await db.rows<{ text: string }>(sql`
    select string_agg(audit_entries::text, ' ') as text from audit_entries where org_id = ${orgId}`)
  for (const word of ['Quollfrost', 'robot@', 'Moon', 'example.com']) assert.ok(!row?.text.includes(word), word)

  await owner.patch('/organization', { weekStart: 'sunday' })
  assert.deepEqual(
    (await acts(owner)).map(({ sequence }) => sequence),
    [1 + (before[0]?.sequence ?? 0), ...before.map(({ sequence }) => sequence)],
  )
  assert.deepEqual([...(await ranOnce(db, (run) => forget(run, kept, 5), inDays(364)))], [])
  assert.equal((await acts(owner)).length, before.length + 1)
  assert.deepEqual([...(await ranOnce(db, (run) => forget(run, kept, 5), inDays(366)))], [])
  assert.deepEqual(
    (await acts(owner)).map(({ type }) => type),
    ['organization.updated'],
  )
})

test('a refused key is counted by the hour, with its id and its source, and never makes an event', async () => {
  const world = await newWorld()
  const { orgId, owner, member } = world
  const key = await created(owner.post('/api-keys', { name: 'Lost', memberId: member.memberId }))
  const lost = apiOf(`${base}/api/v1`, key.secret)
  assert.equal((await lost.get('/me')).status, 200)
  await owner.delete(`/api-keys/${key.id}`)
  const head = (await owner.get('/events/head')).body
  const made = newKey(orgId).secret
  // what was noted before is written by a timer
  await authenticator.writeKeyUsage()
  await withinQuarterHour()
  for (let i = 0; i < 3; i++) assert.equal((await lost.get('/me')).status, 401)
  for (let i = 0; i < 2; i++) assert.equal((await apiOf(`${base}/api/v1`, made).get('/me')).status, 401)
  assert.deepEqual((await refused(owner)).data, [], 'not a write for each')
  await authenticator.writeKeyUsage()
  assert.equal((await lost.get('/me')).status, 401)
  await authenticator.writeKeyUsage()
  const { data, total } = await refused(owner)
  assert.equal(total, 2)
  assert.deepEqual(
    data.map(({ keyId, address, count }: Refused) => [keyId, address, count]),
    [
      [key.id, '127.0.0.1', 4],
      [null, '127.0.0.1', 2],
    ],
  )
  assert.match(data[0].hour, /T\d\d:00:00\.000Z$/)
  assert.equal((await refused(owner, `&keyId=${key.id}`)).total, 1)
  assert.equal((await refused(owner, `&hourBefore=${data[0].hour}`)).total, 0)
  assert.equal((await refused(owner, `&hourAfter=${data[0].hour}`)).total, 2)
  assert.deepEqual((await owner.get('/events/head')).body, head)
  const [row] = await db.rows<{ text: string }>(sql`
    select string_agg(refused_sign_ins::text, ' ') as text from refused_sign_ins where org_id = ${orgId}`)
  assert.ok(!row?.text.includes(key.secret.slice(29)) && !row?.text.includes(made.slice(29)))

  assert.equal((await owner.post(`/members/${member.memberId}/erase`)).status, 200)
  await ranOnce(db, (run) => eraseAll(run))
  assert.equal((await refused(owner, `&keyId=${key.id}`)).total, 0)
  await ranOnce(db, (run) => forget(run, kept), inDays(31))
  assert.equal((await refused(owner)).total, 0)
})

interface Refused {
  keyId: string | null
  address: string | null
  count: number
}

test('strangers with made-up keys cause a limited number of rows per hour, none elsewhere, and hide no lost key', async () => {
  const { orgId, owner } = await newWorld()
  const errors: unknown[] = []
  const signIns = new RefusedSignIns(db, (error) => void errors.push(error))
  const strangers = 5 * mostOfHour
  await withinQuarterHour()
  for (let i = 0; i < strangers; i++) {
    signIns.note(orgId, undefined, `203.0.113.${i}`)
    if (i % 19 === 0) await signIns.write()
  }
  const lost = newId()
  signIns.note(orgId, lost, '198.51.100.1')
  for (let i = 0; i < 1_000; i++) signIns.note(newId(), undefined, '203.0.113.1')
  await signIns.write()
  const { data, total } = await refused(owner)
  assert.ok(total > mostOfHour && total <= 2 * mostOfHour + 1, `${total}`)
  const counted = data.reduce((sum: number, { count }: Refused) => sum + count, 0)
  assert.equal(counted, strangers + 1)
  assert.ok(data.some(({ keyId }: Refused) => keyId === lost))
  assert.ok(data.some(({ keyId, address }: Refused) => keyId === null && address === null))
  const elsewhere = await db.rows(sql`
    select id from refused_sign_ins where address = '203.0.113.1' and org_id <> ${orgId}`)
  assert.deepEqual([elsewhere, errors], [[], []])
})
