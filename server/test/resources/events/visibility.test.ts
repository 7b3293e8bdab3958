import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Caller } from '../../../src/access/caller.ts'
import { sql } from '../../../src/db/sql.ts'
import { type ShownEvent, shownEvent } from '../../../src/events/log.ts'
import { eventTypeNames } from '../../../src/events/type-names.ts'
import { matchesFilters } from '../../../src/resources/events/filters.ts'
import { eventRightsOfMembers, seesEvent, seesKeys } from '../../../src/resources/events/visibility.ts'
import { type Event, readFeed } from '../../support/feed.ts'
import { type Api, created, sharedServer, type World } from '../../support/world.ts'

const { db, newWorld } = await sharedServer()

const about = ({ type, resource }: Event) => `${type} ${resource.id}`

/** An organization with three projects, one of them deleted, and people who are in some of them, or were. */
async function people() {
  const world = await newWorld()
  const { owner, admin, member: inside, join, project, addToProject } = world
  const [open, hidden, gone] = [(await project()).id, (await project()).id, (await project()).id]
  const [left, outside] = [await join('Lea Left', 'member'), await join('Otto Outside', 'member')]
  for (const api of [inside, left]) for (const id of [open, gone]) await addToProject(id, api)
  for (const id of [open, gone])
    assert.equal((await owner.delete(`/projects/${id}/members/${left.memberId}`)).status, 204)
  assert.equal((await owner.delete(`/projects/${gone}`)).status, 204)
  return { world, open, hidden, gone, readers: { owner, admin, inside, left, outside } }
}

type Readers = Awaited<ReturnType<typeof people>>['readers']

/** Every type of event, in each project and in none, of the key of each reader, made by each; with what is shown of it. */
async function writeOneOfEach({ orgId }: World, projects: (string | null)[], readers: Readers): Promise<void> {
  const each = Object.values(readers)
  const rows = eventTypeNames.flatMap((type) =>
    projects.flatMap((projectId) =>
      each.flatMap((holder, i) => {
        const [maker, actor] = [each[(i + 1) % each.length], each[(i + (projectId === null ? 0 : 2)) % each.length]]
        const snapshot = { memberId: holder.memberId, createdBy: maker?.memberId, createdWith: randomUUID() }
        const own = { ...snapshot, createdBy: holder.memberId }
        return [snapshot, own].map((shown) => ({ type, projectId, actorId: actor?.memberId, snapshot: shown }))
      }),
    ),
  )
  await db.rows(sql`
    with counter as (update event_counters set last_sequence = last_sequence + ${rows.length} where org_id = ${orgId}
      returning last_sequence)
    insert into events (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, changes, snapshot,
      created_at)
    select ${orgId}::uuid, counter.last_sequence - ${rows.length} + row.ordinality, row.value ->> 'type',
      (row.value ->> 'actorId')::uuid, gen_random_uuid(), 'all-of-them', gen_random_uuid(), (row.value ->> 'projectId')::uuid, '{}',
      row.value -> 'snapshot', current_timestamp
    from counter, json_array_elements(${JSON.stringify(rows)}::json) with ordinality as row (value, ordinality)`)
}

async function storedIn({ orgId }: World): Promise<ShownEvent[]> {
  const rows = await db.rows<{ shown: string }>(sql`
    select ${shownEvent(sql`true`)} as shown from events where events.org_id = ${orgId} order by events.sequence`)
  return rows.map(({ shown }) => JSON.parse(shown))
}

const callerOf = async (world: World, { memberId, get }: Api): Promise<Caller> => {
  const { member, apiKey } = (await get('/me')).body
  const caller = { orgId: world.orgId, memberId, keyId: apiKey.id, role: member.role, scopes: ['read'], credential: '' }
  return caller
}

test('the feed shows each member the events of every type that it may see, and streams follow the same rules', async () => {
  const { world, open, hidden, gone, readers } = await people()
  await writeOneOfEach(world, [null, open, hidden, gone], readers)
  const stored = await storedIn(world)
  for (const [name, api] of Object.entries(readers)) {
    const [rights = assert.fail()] = await eventRightsOfMembers(db, [await callerOf(world, api)])
    const shown = await readFeed(api, 'limit=100')
    assert.deepEqual(
      shown.map(({ sequence }) => sequence),
      stored.filter((event) => seesEvent(rights, event)).map(({ sequence }) => sequence),
      name,
    )
    const bySequence = new Map(stored.map((event) => [event.sequence, event]))
    for (const { sequence, type, actor, snapshot, requestId } of shown) {
      const event = bySequence.get(sequence) ?? assert.fail()
      const withKeys = seesKeys(rights, event)
      assert.equal(actor.apiKeyId, withKeys ? event.actor.apiKeyId : null, `${name}: ${type}`)
      // the keys that the command line made were made with none
      if (type.startsWith('api_key.') && requestId === 'all-of-them')
        assert.equal(snapshot.createdWith !== null, withKeys, `${name}: ${type}`)
    }
  }
})

test('each type of event is visible to the right callers', async () => {
  const { world, open, hidden, gone, readers } = await people()
  const { latest } = (await readers.owner.get('/events/head')).body
  await writeOneOfEach(world, [null, open, hidden, gone], readers)
  const inNone = ['organization', 'member', 'task_type', 'tag', 'workspace', 'stage', 'order']
  const projectsOf: Partial<Record<keyof Readers, string[]>> = { inside: [open, gone], left: [], outside: [] }
  for (const name of Object.keys(readers) as (keyof Readers)[]) {
    const shown = await readFeed(readers[name], `limit=100&after=${latest}`)
    const projects = projectsOf[name]
    const combinations = (some: readonly Event[]) =>
      new Set(some.map(({ type, projectId }) => `${type} in ${projectId ?? 'none'}`))
    const expected = eventTypeNames.flatMap((type) => {
      const [noun = ''] = type.split('.')
      const everywhere = [null, open, hidden, gone]
      const where =
        projects === undefined || noun === 'api_key'
          ? everywhere
          : noun === 'webhook'
            ? []
            : everywhere.filter((id) => (id === null ? inNone.includes(noun) : projects.includes(id)))
      return where.map((id) => `${type} in ${id ?? 'none'}`)
    })
    assert.deepEqual([...combinations(shown)].toSorted(), expected.toSorted(), name)
    if (projects === undefined) continue
    const ofKeys = shown.filter(({ type }) => type.startsWith('api_key.'))
    assert.deepEqual([...new Set(ofKeys.map(({ snapshot }) => snapshot.memberId))], [readers[name].memberId])
  }
})

test('the filters of streams match the same events as the filters of the feed', async () => {
  const { world, open, readers } = await people()
  await writeOneOfEach(world, [null, open], readers)
  const stored = await storedIn(world)
  const some = stored.find(({ type, projectId }) => type === 'task.moved' && projectId === open) ?? assert.fail()
  const [type, resourceId, actorId] = [['task.*', 'tag.created'], some.resource.id, some.actor.memberId ?? '']
  for (const filters of [
    {},
    { type },
    { resourceId },
    { projectId: open },
    { actorId },
    { type, projectId: open },
    { type: ['task.moved'], actorId, projectId: open, resourceId },
    { type: ['tag.created'], resourceId },
  ]) {
    const pairs = Object.entries<string | string[]>(filters).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    const shown = await readFeed(readers.owner, `limit=100&${new URLSearchParams(pairs)}`)
    const matching = stored.filter((event) => matchesFilters(filters, event)).map(({ sequence }) => sequence)
    assert.deepEqual(
      shown.map(({ sequence }) => sequence),
      matching,
      JSON.stringify(filters),
    )
  }
})

test('a member who joins a project gets its earlier events; a member who leaves it gets none of its events any more', async () => {
  const { owner, member, project, task, addToProject } = await newWorld()
  const { id: projectId } = await project()
  const { id } = await task({ projectId })
  const types = async () => (await readFeed(member, `projectId=${projectId}`)).map(({ type }) => type)
  assert.deepEqual(await types(), [])
  await addToProject(projectId, member)
  const before = ['project.created', 'project_member.created', 'task.created']
  assert.deepEqual(await types(), [...before, 'project_member.created'])
  const { latest } = (await member.get('/events/head')).body
  await owner.delete(`/projects/${projectId}/members/${member.memberId}`)
  await owner.patch(`/tasks/${id}`, { priority: 'high' })
  assert.deepEqual(await types(), [])
  for (const query of [`after=${latest}`, `resourceId=${id}`, 'type=project_member.*', 'type=task.*'])
    assert.deepEqual(
      (await readFeed(member, query)).filter((event) => event.projectId !== null),
      [],
      query,
    )
})

test('members of a deleted project get the event of its deletion, and can read its events until it is purged', async () => {
  const { owner, member, join, project, task, addToProject } = await newWorld()
  const outside = await join('Otto Outside', 'member')
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  await task({ projectId })
  const { latest } = (await member.get('/events/head')).body
  await owner.delete(`/projects/${projectId}`)
  for (const api of [owner, member]) {
    assert.deepEqual((await readFeed(api, `after=${latest}`)).map(about), [`project.deleted ${projectId}`])
    const all = (await readFeed(api, `projectId=${projectId}`)).map(({ type }) => type)
    const joined = 'project_member.created'
    assert.deepEqual(all, ['project.created', joined, joined, 'task.created', 'project.deleted'])
  }
  assert.deepEqual(await readFeed(outside, `after=${latest}`), [])
  assert.deepEqual(await readFeed(outside, `projectId=${projectId}`), [])
})

test('a member gets events of its own API keys, without the keys of others that they were created with', async () => {
  const { owner, admin, member, join } = await newWorld()
  const other = await join('Otto Other', 'member')
  const key = await created(admin.post('/api-keys', { name: 'Given', memberId: member.memberId }))
  const own = await created(member.post('/api-keys', { name: 'Own' }))
  await owner.delete(`/api-keys/${key.id}`)
  const using = (await member.get('/me')).body.apiKey
  const ofKeys = async (api: Api) => readFeed(api, 'type=api_key.*')
  const seen = await ofKeys(member)
  assert.deepEqual(seen.map(about), [
    `api_key.created ${using.id}`,
    `api_key.created ${key.id}`,
    `api_key.created ${own.id}`,
    `api_key.revoked ${key.id}`,
  ])
  assert.deepEqual(
    seen.map(({ actor, snapshot }) => [actor.apiKeyId, snapshot.createdWith]),
    [
      [null, null],
      [null, null],
      [using.id, using.id],
      [null, null],
    ],
  )
  assert.ok((await ofKeys(other)).every(({ snapshot }) => snapshot.memberId === other.memberId))
  const everybody = await ofKeys(owner)
  assert.deepEqual(everybody.find(({ resource }) => resource.id === own.id)?.actor, {
    memberId: member.memberId,
    apiKeyId: using.id,
  })
  assert.ok(everybody.filter(({ actor }) => actor.memberId).every(({ snapshot }) => snapshot.createdWith !== null))
  assert.ok(!JSON.stringify(everybody).includes('secret'))
})

test('only owners and admins get events of webhooks, with or without a project', async () => {
  const { owner, admin, member, project, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'lead')
  for (const only of [null, projectId])
    await created(owner.post('/webhooks', { url: 'https://example.com/hook', types: [], projectId: only }))
  for (const [api, count] of [
    [owner, 2],
    [admin, 2],
    [member, 0],
  ] as const) {
    const shown = await readFeed(api, 'type=webhook.*')
    assert.equal(shown.length, count)
    assert.ok(!JSON.stringify(shown).includes('whsec_'))
  }
})
