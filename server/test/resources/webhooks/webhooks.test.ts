import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readSubnet } from '../../../src/contract/addresses.ts'
import { sql } from '../../../src/db/sql.ts'
import { typePatterns } from '../../../src/events/type-names.ts'
import { createSecrets } from '../../../src/operations/secrets.ts'
import { openSecrets, type SealedSecrets } from '../../../src/resources/webhooks/signing-secrets.ts'
import { assertRefused, invalidFields } from '../../support/envelope.ts'
import { type Api, created, secretKey, startServer } from '../../support/world.ts'

const server = await startServer()
const { db, newWorld } = server

const url = 'https://example.com/hook'
const newWebhook = (api: Api, fields: object = {}) => created(api.post('/webhooks', { url, ...fields }))
const path = ({ id }: { id: string }) => `/webhooks/${id}`

/** What is stored of a webhook. */
async function stored(id: string) {
  const row = await db.row<SealedSecrets & { position: number; failures: number; failingSince: string | null }>(sql`
    select org_id as "orgId", id, secret, former_secret as "formerSecret", former_secret_until as "formerSecretUntil",
      position, failures, failing_since as "failingSince"
    from webhooks where id = ${id}`)
  return row ?? assert.fail('It is not stored')
}

const eventsAbout = (id: string) =>
  db.rows<{ type: string; sequence: number; text: string; changes: object }>(sql`
    select type, sequence, changes, row_to_json(events)::text as text from events
    where resource_id = ${id} order by sequence`)

test('creating a webhook returns its secret, which is in no later response, no list and no event', async () => {
  const { owner, admin } = await newWorld()
  const types = ['task.*', 'tag.created']
  const { secret, ...webhook } = await newWebhook(owner, { types, description: ' For the billing ' })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { id, createdAt, updatedAt, ...shown } = webhook
  assert.deepEqual(shown, {
    ...{ url, types, projectId: null, description: 'For the billing', status: 'active', version: 1 },
    ...{ disabledReason: null, formerSecretUntil: null },
  })
  const rotated = await owner.post(`${path(webhook)}/rotate-secret`)
  assert.equal(rotated.status, 200)
  const later = [
    await admin.get(path(webhook)),
    await admin.get('/webhooks'),
    await owner.patch(path(webhook), { description: null }),
    await owner.post(`${path(webhook)}/pause`),
    await owner.delete(path(webhook)),
    await owner.post(`${path(webhook)}/restore`),
    await owner.get('/events'),
  ]
  const texts = [...later.map(({ text }) => text), ...(await eventsAbout(id)).map(({ text }) => text), ...server.logged]
  for (const text of texts)
    for (const one of [secret, rotated.body.secret]) assert.ok(!text.includes(one.slice(6, 40)), text)
  assert.deepEqual(
    (await eventsAbout(id)).map(({ type }) => type),
    ['created', 'secret_rotated', 'updated', 'paused', 'deleted', 'restored'].map((verb) => `webhook.${verb}`),
  )
})

test('a stored secret opens only with SECRET_KEY, and only for its own webhook', async () => {
  const { owner } = await newWorld()
  const [one, other] = [await newWebhook(owner), await newWebhook(owner)]
  const [row, another] = [await stored(one.id), await stored(other.id)]
  const [ours, theirs] = [createSecrets(secretKey), createSecrets(`${secretKey} of another server`)]
  const now = new Date().toISOString()
  assert.deepEqual(
    openSecrets(ours, row, now).map((secret) => `whsec_${secret.toString('base64')}`),
    [one.secret],
  )
  assert.throws(() => openSecrets(theirs, row, now))
  assert.throws(() => openSecrets(ours, { ...another, secret: row.secret }, now))
  assert.throws(() => openSecrets(ours, { ...row, orgId: randomUUID() }, now))
})

test('a rotation returns the new secret, and the previous one also signs until the overlap is over', async () => {
  const { owner } = await newWorld()
  const webhook = await newWebhook(owner)
  const secrets = createSecrets(secretKey)
  const signing = async (now: string) =>
    openSecrets(secrets, await stored(webhook.id), now).map((secret) => `whsec_${secret.toString('base64')}`)
  const rotate = async (body?: object) => {
    const reply = await owner.post(`${path(webhook)}/rotate-secret`, body)
    assert.equal(reply.status, 200, reply.text)
    const { secret, ...shown } = reply.body
    assert.deepEqual((await owner.get(path(webhook))).body, shown)
    return { secret, until: shown.formerSecretUntil, at: shown.updatedAt }
  }
  const hours = (later: number, from: string) => new Date(Date.parse(from) + later * 3_600_000).toISOString()
  const second = await rotate()
  assert.equal(second.until, hours(24, second.at))
  assert.deepEqual(await signing(second.at), [second.secret, webhook.secret])
  assert.deepEqual(await signing(hours(24, second.at)), [second.secret])
  const third = await rotate({ overlapHours: 168 })
  assert.equal(third.until, hours(168, third.at))
  assert.deepEqual(await signing(third.at), [third.secret, second.secret])
  const fourth = await rotate({ overlapHours: 0 })
  assert.equal(fourth.until, null)
  assert.deepEqual(await signing(fourth.at), [fourth.secret])
  for (const overlapHours of [-1, 169, 1.5, '1', null])
    assert.deepEqual(invalidFields(await owner.post(`${path(webhook)}/rotate-secret`, { overlapHours })), [
      'overlapHours',
    ])
})

test('a dry run returns a webhook and a secret, and nothing of them is stored', async () => {
  const { owner } = await newWorld()
  const tried = await owner.post('/webhooks?dryRun=true', { url })
  assert.equal(tried.status, 201)
  assert.match(tried.body.secret, /^whsec_/)
  assertRefused(await owner.get(path(tried.body)), 404)
  const webhook = await newWebhook(owner)
  const before = await stored(webhook.id)
  for (const action of ['rotate-secret', 'test', 'pause'])
    assert.equal((await owner.post(`${path(webhook)}/${action}?dryRun=true`)).status, 200)
  assert.equal((await owner.post(`${path(webhook)}/replay?dryRun=true`, { after: 0 })).status, 200)
  assert.deepEqual(await stored(webhook.id), before)
  assert.deepEqual(
    (await eventsAbout(webhook.id)).map(({ type }) => type),
    ['webhook.created'],
  )
})

test('a URL is https, has no user and no fragment, has no address that is not public, and is kept as it was sent', async () => {
  const { owner } = await newWorld()
  const wrong = [
    ...[
      '',
      'example.com',
      '/hook',
      'https://',
      'https:// example.com',
      'https://exa mple.com/',
      'ht\ntps://example.com',
    ],
    ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x'],
    ...['https://ann@example.com/', 'https://ann:secret@example.com/', 'https://:secret@example.com/'],
    ...['https://example.com/#', 'https://example.com/hook#part'],
    ...[
      'https://127.0.0.1/',
      'https://0177.1/',
      'https://2130706433/',
      'https://0x7f.0.0.1/',
      'https://10.0.0.1:8443/',
    ],
    ...['https://169.254.169.254/latest', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://[fd00::1]/'],
    `https://example.com/${'x'.repeat(2_048)}`,
    `https://example.com/${'ü'.repeat(1_000)}`,
  ]
  const webhook = await newWebhook(owner)
  for (const one of wrong) {
    assert.deepEqual(invalidFields(await owner.post('/webhooks', { url: one })), ['url'], one)
    assert.deepEqual(invalidFields(await owner.patch(path(webhook), { url: one })), ['url'], one)
  }
  const kept: Record<string, string> = {
    'HTTPS://Example.COM:443/a/../b?c=d': 'https://example.com/b?c=d',
    'https://bücher.example/hook': 'https://xn--bcher-kva.example/hook',
    'https://example.com/ü': 'https://example.com/%C3%BC',
    'https://8.8.8.8': 'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/': 'https://[2606:4700::1111]:8443/',
    [`https://example.com/${'x'.repeat(2_028)}`]: `https://example.com/${'x'.repeat(2_028)}`,
  }
  for (const [sent, shown] of Object.entries(kept)) {
    const reply = await owner.patch(path(webhook), { url: sent })
    assert.deepEqual([reply.status, reply.body.url], [200, shown], sent)
  }
})

test('one response names everything that is wrong with a URL, and the setting by which the operator can allow it', async () => {
  const { owner } = await newWorld()
  const unless = 'unless the operator allows its address with WEBHOOK_ALLOWED_SUBNETS'
  const [plain, privately] = [`Must begin with https://, ${unless}`, `Must be a public address, ${unless}`]
  const local = `Must not name the machine of the server, ${unless}`
  const told = {
    'http://localhost:4747': [plain, local],
    'https://localhost:4747': [local],
    'https://LOCALHOST./': [local],
    'https://hooks.localhost/': [local],
    'http://127.0.0.1:4747': [plain, privately],
    'https://10.0.0.5/': [privately],
    'http://[::1]/': [plain, privately],
    'http://receiver.internal/': [plain],
    'http://8.8.8.8/': ['Must begin with https://'],
  }
  for (const [one, sentences] of Object.entries(told)) {
    const reply = await owner.post('/webhooks', { url: one })
    assert.deepEqual([reply.status, reply.body.details?.fieldErrors.url], [422, sentences], one)
  }
  for (const one of ['https://localhost.example/', 'https://mylocalhost/', 'https://notlocalhost/'])
    assert.equal((await newWebhook(owner, { url: one })).url, one)
})

test("a host name of the server's own machine is accepted only if its address is allowed", async () => {
  const taken = { '127.0.0.0/8': 201, '127.0.0.1': 201, '::1': 201, '10.0.0.0/8': 422 }
  for (const [subnet, status] of Object.entries(taken)) {
    const { newWorld } = await startServer({ allowedSubnets: [readSubnet(subnet) ?? assert.fail()] })
    const { owner } = await newWorld()
    for (const one of ['http://localhost:4747/', 'https://hooks.localhost/'])
      assert.equal((await owner.post('/webhooks', { url: one })).status, status, `${one} beside ${subnet}`)
  }
})

test('addresses that the operator allows are accepted, also without TLS', async () => {
  const allowed = readSubnet('127.0.0.0/8') ?? assert.fail()
  const { newWorld } = await startServer({ allowedSubnets: [allowed] })
  const { owner } = await newWorld()
  for (const one of ['http://127.0.0.1:9000/hook', 'https://127.0.0.1/', 'http://receiver.internal/'])
    assert.equal((await newWebhook(owner, { url: one })).url, one)
  for (const one of ['http://10.0.0.1/', 'https://10.0.0.1/', 'http://8.8.8.8/'])
    assert.deepEqual(invalidFields(await owner.post('/webhooks', { url: one })), ['url'], one)
})

test('types are known event types, or all of a noun, each once and up to 100', async () => {
  const { owner } = await newWorld()
  const webhook = await newWebhook(owner)
  assert.deepEqual(webhook.types, [])
  for (const types of [['task.created'], ['task.*', 'webhook.test'], [...typePatterns], []])
    assert.deepEqual((await owner.patch(path(webhook), { types })).body.types, types)
  // there are not so many different ones, and one that is too long is told only that
  const refusals = async (length: number) =>
    (await owner.post('/webhooks', { url, types: Array.from({ length }, () => 'task.created') })).body.details
      .fieldErrors
  assert.deepEqual(await refusals(100), { types: ['Must not contain a type twice'] })
  assert.deepEqual(await refusals(101), { types: ['Must have at most 100 items'] })
  for (const types of [['task'], ['*'], ['task.creatd'], ['tusk.*'], ['task.*', 'task.*'], 'task.created', [1]]) {
    const fields = invalidFields(await owner.post('/webhooks', { url, types }))
    assert.ok(
      fields.every((field) => field.startsWith('types')),
      String(fields),
    )
  }
})

test('an organization has at most 100 webhooks: 412 for more, also for a restore, and other organizations have their own 100', async () => {
  const { orgId, owner } = await newWorld()
  const webhook = await newWebhook(owner)
  await db.rows(sql`
    insert into webhooks (org_id, id, url, secret, position, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), ${url}, '', 0, now(), now() from generate_series(1, 98)`)
  const create = () => owner.post('/webhooks', { url })
  const together = await Promise.all([create(), create(), create()])
  assert.deepEqual(together.map(({ status }) => status).toSorted(), [201, 412, 412])
  const refusal = await create()
  assertRefused(refusal, 412, 'no_room')
  assert.equal(refusal.body.error, 'An organization can have at most 100 webhooks; delete one first')
  assert.equal((await owner.delete(path(webhook))).status, 204)
  assert.equal((await create()).status, 201)
  assertRefused(await owner.post(`${path(webhook)}/restore`), 412, 'no_room')
  await newWebhook((await newWorld()).owner)
})

test('a webhook can be paused and resumed; resuming it or changing its URL forgets its failures', async () => {
  const { owner } = await newWorld()
  const webhook = await newWebhook(owner)
  const act = (action: string) => owner.post(`${path(webhook)}/${action}`)
  assertRefused(await act('resume'), 412, 'webhook_active')
  assert.equal((await act('pause')).body.status, 'paused')
  assertRefused(await act('pause'), 412, 'webhook_paused')
  assertRefused(await act('test'), 412, 'webhook_not_active')
  const fail = () =>
    db.rows(sql`update webhooks set failures = 7, failing_since = now(), retry_at = now() where id = ${webhook.id}`)
  await fail()
  assert.equal((await act('resume')).body.status, 'active')
  assert.deepEqual([(await stored(webhook.id)).failures, (await stored(webhook.id)).failingSince], [0, null])

  await fail()
  await owner.patch(path(webhook), { description: 'The same receiver', url })
  assert.equal((await stored(webhook.id)).failures, 7)
  await owner.patch(path(webhook), { url: 'https://example.org/' })
  assert.equal((await stored(webhook.id)).failures, 0)

  await db.rows(sql`update webhooks set status = 'disabled', disabled_reason = 'gone' where id = ${webhook.id}`)
  assertRefused(await act('test'), 412, 'webhook_not_active')
  assert.equal((await owner.get(path(webhook))).body.disabledReason, 'gone')
  const paused = (await act('pause')).body
  assert.deepEqual([paused.status, paused.disabledReason], ['paused', null])
})

test('a new webhook begins with events from then on; a replay sets it back, as far as events are kept', async () => {
  const { orgId, owner, tag } = await newWorld()
  const { body: head } = await owner.get('/events/head')
  const webhook = await newWebhook(owner)
  assert.equal((await stored(webhook.id)).position, head.latest)
  await tag()
  const replay = (after: unknown) => owner.post(`${path(webhook)}/replay`, { after })
  assert.equal((await replay(head.latest - 1)).status, 200)
  assert.equal((await stored(webhook.id)).position, head.latest - 1)
  const ahead = await replay(head.latest)
  assertRefused(ahead, 412, 'position_ahead')
  for (const after of [-1, 1.5, '1', null, undefined]) assert.deepEqual(invalidFields(await replay(after)), ['after'])
  await db.rows(sql`delete from events where org_id = ${orgId} and sequence <= 3`)
  assertRefused(await replay(2), 412, 'position_expired')
  assert.equal((await replay(3)).status, 200)
  assert.equal((await stored(webhook.id)).position, 3)
})

test('with changed filters a webhook continues at the events that it waited for, or now, not at earlier ones', async () => {
  const { owner, tag, taskType } = await newWorld()
  const latest = async () => (await owner.get('/events/head')).body.latest
  const webhook = await newWebhook(owner, { types: ['tag.*'] })
  const edited = async (types: string[]) => {
    assert.equal((await owner.patch(path(webhook), { types })).status, 200)
    return (await stored(webhook.id)).position
  }
  await taskType()
  const before = await latest()
  assert.equal(await edited(['tag.*', 'task_type.*']), before)
  await owner.patch(path(webhook), { description: 'None of these' })
  const waiting = await latest()
  await tag()
  await taskType()
  assert.equal(await edited([]), waiting)
})

test('resuming a webhook reports waiting events that are no longer kept, and a replay from the oldest event skips them', async () => {
  const { orgId, owner, tag } = await newWorld()
  const webhook = await newWebhook(owner)
  const act = (action: string, body?: object) => owner.post(`${path(webhook)}/${action}`, body)
  assert.equal((await act('pause')).status, 200)
  for (let i = 0; i < 3; i++) await tag()
  const oldest = (await owner.get('/events/head')).body.latest
  await db.rows(sql`delete from events where org_id = ${orgId} and sequence < ${oldest}`)
  assert.equal((await owner.patch(path(webhook), { types: ['tag.*'] })).status, 200)
  assertRefused(await act('resume'), 412, 'position_expired')
  assertRefused(await act('replay', { after: oldest - 2 }), 412, 'position_expired')
  assertRefused(await act('replay', { after: oldest }), 412, 'position_ahead')
  assert.equal((await act('replay', { after: oldest - 1 })).status, 200)
  assert.equal((await act('resume')).body.status, 'active')
})

test('retries are due at once when a webhook is resumed or gets another URL, and new events when it is tested', async () => {
  const { owner, delivery } = await newWorld()
  const webhook = await newWebhook(owner)
  const later = '2099-01-01T00:00:00.000Z'
  const dueOnce = async (act: () => Promise<unknown>) => {
    const { id } = await delivery(webhook.id, { status: 'pending', nextAttemptAt: later })
    await act()
    const { body } = await owner.get(`/deliveries/${id}`)
    return [body.nextAttemptAt < later, body.version]
  }
  const resume = async () => {
    await owner.post(`${path(webhook)}/pause`)
    await owner.post(`${path(webhook)}/resume`)
  }
  assert.deepEqual(await dueOnce(resume), [true, 2])
  assert.deepEqual(await dueOnce(() => owner.patch(path(webhook), { url: 'https://example.org/' })), [true, 2])
  assert.deepEqual(await dueOnce(() => owner.patch(path(webhook), { description: 'The same' })), [false, 1])
  await db.rows(sql`update webhooks set retry_at = ${later} where id = ${webhook.id}`)
  await owner.post(`${path(webhook)}/test`)
  assert.equal((await owner.get(`${path(webhook)}?include=progress`)).body.progress.retryAt, null)
})

test('a test is an event of the log about the webhook, and changes nothing of it', async () => {
  const { owner } = await newWorld()
  const { secret, ...webhook } = await newWebhook(owner, { types: ['tag.*'] })
  const { status, body } = await owner.post(`${path(webhook)}/test`)
  assert.deepEqual([status, body], [200, webhook])
  const [, event] = await eventsAbout(webhook.id)
  assert.deepEqual([event?.type, event?.changes], ['webhook.test', {}])
})

test('the progress of a webhook comes only with include=progress, without an ETag, and does not change its version', async () => {
  const { owner } = await newWorld()
  const webhook = await newWebhook(owner)
  const [at, later] = ['2026-01-31T09:30:00.000Z', '2026-01-31T10:30:00.000Z']
  await db.rows(sql`
    update webhooks set position = 2, failing_since = ${at}, retry_at = ${later}, last_success_at = ${at} where id = ${webhook.id}`)
  const progress = { position: 2, lastSuccessAt: at, failingSince: at, retryAt: later }
  const { headers, body } = await owner.get(`${path(webhook)}?include=progress`)
  const { secret, ...shown } = webhook
  assert.deepEqual([body, headers.get('etag')], [{ ...shown, progress }, null])
  assert.deepEqual((await owner.get('/webhooks?include=progress')).body.data, [{ ...shown, progress }])
  assert.deepEqual((await owner.get(path(webhook))).body, shown)
  assert.equal((await owner.get('/webhooks?include=secret')).status, 422)
})

test('a webhook of a project disappears and returns with it, and that of an archived project can be updated', async () => {
  const { owner, project, member, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'lead')
  const { secret, ...webhook } = await newWebhook(owner, { projectId })
  assertRefused(await member.get(path(webhook)), 403, 'missing_role')
  assertRefused(await member.get('/webhooks'), 403, 'missing_role')
  assert.equal((await owner.post(`/projects/${projectId}/archive`)).status, 200)
  for (const action of ['pause', 'resume', 'test', 'rotate-secret'])
    assert.equal((await owner.post(`${path(webhook)}/${action}`)).status, 200, action)
  assert.equal((await owner.patch(path(webhook), { description: 'Of what was' })).status, 200)
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  assertRefused(await owner.get(path(webhook)), 404)
  assertRefused(await owner.post(`${path(webhook)}/pause`), 404)
  assert.deepEqual((await owner.get('/webhooks')).body, { data: [], total: 0 })
  assertRefused(await owner.post('/webhooks', { url, projectId }), 404)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
  assert.equal((await owner.get(path(webhook))).body.id, webhook.id)
  assert.equal((await owner.patch(path(webhook), { projectId: null })).body.projectId, null)
})

test('a webhook stays when its creator is demoted or leaves', async () => {
  const { owner, admin } = await newWorld()
  const webhook = await newWebhook(admin)
  assert.equal((await owner.patch(`/members/${admin.memberId}`, { role: 'member' })).status, 200)
  assertRefused(await admin.get(path(webhook)), 403, 'missing_role')
  assert.equal((await owner.delete(`/members/${admin.memberId}`)).status, 204)
  const { status, body } = await owner.get(path(webhook))
  assert.deepEqual([status, body.status], [200, 'active'])
})

test('only owners and admins see the events of a webhook itself', async () => {
  const { owner, admin, member, project, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'lead')
  await newWebhook(owner, { projectId })
  const types = async (api: Api) =>
    (await api.get('/events?type=webhook.*')).body.data.map(({ type }: { type: string }) => type)
  assert.deepEqual(
    [await types(owner), await types(admin), await types(member)],
    [['webhook.created'], ['webhook.created'], []],
  )
})

test('without SECRET_KEY a webhook cannot be created or get another secret, and everything else works', async () => {
  const { owner } = await newWorld()
  const webhook = await newWebhook(owner)
  const without = (await startServer({ secrets: undefined })).api(owner.key)
  assertRefused(await without.post('/webhooks', { url }), 412, 'secret_key_missing')
  assertRefused(await without.post(`${path(webhook)}/rotate-secret`), 412, 'secret_key_missing')
  assert.equal((await without.patch(path(webhook), { description: 'Edited' })).status, 200)
  const other = (await startServer({ secrets: createSecrets('of another server, and long enough') })).api(owner.key)
  assertRefused(await other.post('/webhooks', { url }), 412, 'secret_key_differs')
})
