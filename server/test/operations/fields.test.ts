import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Selectable } from '../../src/operations/fields.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { file } from '../support/afterwards.ts'
import { detailsOf, invalidFields } from '../support/envelope.ts'
import { goBetween } from '../support/go-between.ts'
import { referToEach } from '../support/samples.ts'
import { fieldsOf, lineOf, startScenes } from '../support/scene.ts'

type Item = Record<string, unknown>

const between = await goBetween(file)
const { scene } = await startScenes({ url: between.url })
const { world, open, hidden, ask } = await scene()
const { owner, member } = world
await referToEach(world, open)
await world.keysUsed()

const reads = routes.filter(({ method }) => method === 'GET')
const selecting = reads.flatMap((route) => (route.selectable ? [{ route, selectable: route.selectable }] : []))
const one = selecting.filter(({ selectable: { inList, deeper } }) => !inList && !deeper)

const read = async (route: Route, query: string): Promise<Item> => {
  const { status, body, text } = await ask(owner, route, { query: `?${query}` })
  assert.equal(status, 200, `${lineOf(route)} ${query}: ${text}`)
  return body
}

const itemsOf = ({ inList, deeper }: Selectable, body: Item): Item[] => {
  if (deeper) return (body.stages as { tasks: Item[] }[]).flatMap(({ tasks }) => tasks)
  return inList ? (body.data as Item[]) : [body]
}

/** Asks for all fields where an answer does not have them anyway. */
const allOf = (selectable: Selectable) => (selectable.deeper ? `fields=${namesOf(selectable)}` : '')

/** The fields that an item has, whatever else was asked for beside it. */
const namesOf = ({ item }: Selectable) => Object.keys(item.shape).filter((name) => !item.shape[name].isOptional())

test('every operation that returns a resource or a list of resources takes fields, and no other does', () => {
  const others = reads.filter((route) => !fieldsOf(route.query).some(([name]) => name === 'fields'))
  assert.deepEqual(others.map(lineOf).sort(), [
    'GET /audit',
    'GET /audit/refused-sign-ins',
    'GET /events',
    'GET /events/head',
    'GET /me',
    'GET /reports/tasks',
    'GET /reports/time',
    'GET /search',
    'GET /tasks/{id}/history',
    'GET /timer',
    'GET /trash',
  ])
  assert.equal(selecting.length + others.length, reads.length)
})

test('each response has exactly the requested fields, in their own order, and the server reads no other', async () => {
  const earlier = new Set<string>()
  for (const { route, selectable } of selecting) {
    const whole = await read(route, allOf(selectable))
    const items = itemsOf(selectable, whole)
    assert.ok(items.length > 0, lineOf(route))
    const [even, odd] = halves(namesOf(selectable))
    for (const [asked, others] of [
      [even, odd],
      [odd, even],
    ] as const) {
      for (const statement of between.seen.parsed) earlier.add(statement)
      between.seen.parsed.length = 0
      const part = await read(route, `fields=${asked.toReversed()}`)
      const wanted = items.map((item) => Object.fromEntries(asked.map((name) => [name, item[name]])))
      // as text, as the order counts
      assert.equal(JSON.stringify(itemsOf(selectable, part)), JSON.stringify(wanted), lineOf(route))
      const line = lineOf(route)
      // a further connection parses again what another one has parsed
      const parsed = between.seen.parsed.filter((statement) => !earlier.has(statement))
      assert.ok(parsed.length > 0, line)
      const readToo = others.filter((name) => parsed.some((statement) => isReadIn(statement, name)))
      const known = ['id', ...(selectable.inList ? [] : ['version']), ...(readAnyhow[line] ?? [])]
      assert.deepEqual(
        readToo.filter((name) => !known.includes(name)),
        [],
        `${line} ${asked}: ${parsed}`,
      )
    }
  }
})

const halves = (names: string[]) => [0, 1].map((rest) => names.filter((_, i) => i % 2 === rest)) as [string[], string[]]

/** What is read beside what is asked for: what it says who may see or do what, or counts in the version that is shown. */
const readAnyhow: Record<string, string[]> = {
  'GET /members/{id}': ['role'],
  'GET /projects/{id}/members/{memberId}': ['role', 'projectId', 'memberId'],
  'GET /projects/{id}/members': ['role'],
  'GET /api-keys': ['createdBy'],
  'GET /api-keys/{id}': ['memberId', 'createdBy'],
  ...{ 'GET /tasks': ['typeId', 'assigneeIds', 'tagIds'], 'GET /tasks/{id}': ['typeId', 'assigneeIds', 'tagIds'] },
  ...{
    'GET /subtasks': ['assigneeId'],
    'GET /tasks/{id}/subtasks': ['assigneeId'],
    'GET /subtasks/{id}': ['assigneeId'],
  },
  ...{ 'GET /time-entries': ['startedAt', 'tagIds'], 'GET /time-entries/{id}': ['tagIds'] },
  // of the workspace, of its stages, and what the version counts
  'GET /workspaces/{id}/board': [
    ...['workspaceId', 'projectId', 'stageId', 'name', 'description', 'position', 'version', 'createdAt', 'updatedAt'],
    ...['typeId', 'assigneeIds', 'tagIds'],
  ],
}

/** Whether a statement reads the column of a field, or answers the field: not what it only looks for or orders by. */
function isReadIn(statement: string, field: string): boolean {
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [...statement.matchAll(/\bselect\b(.*?)\bfrom\b/gs)].some(([, selected = '']) => {
    const shown = selected.replace(/over \(.*?\)/s, '').replace("projects.status = 'archived' as archived", '')
    return shown.includes(` as "${field}"`) || new RegExp(`\\.${column}\\b`).test(shown)
  })
}

test('unknown fields, repeated fields, no fields, and a second parameter get 422', async () => {
  const refused = async (route: Route, query: string) =>
    assert.deepEqual(invalidFields(await ask(owner, route, { query })), ['fields'], `${lineOf(route)} ${query}`)
  for (const { route } of selecting) await refused(route, '?fields=version,colour')
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.deepEqual(invalidFields(await owner.get(`/tasks?fields=id&include=${name}`)), ['include'])
  const [tags] = selecting.filter(({ route }) => lineOf(route) === 'GET /tags')
  for (const wrong of ['', 'id,', 'id,id', 'ID', '*', 'id&fields=id', 'id,constructor', 'id, name'])
    await refused(tags?.route ?? assert.fail(), `?fields=${wrong}`)
})

test('a part of a resource has its own ETag, by which If-Match knows the whole', async () => {
  for (const { route } of one) {
    const [field = ''] = ['memberId', 'createdAt'].filter((name) => name in (route.selectable?.item.shape ?? {}))
    const query = `?fields=${field}`
    const { headers, body } = await ask(owner, route, { query })
    const etag = headers.get('etag') ?? assert.fail(lineOf(route))
    assert.deepEqual(Object.keys(body), [field])
    const whole = (await ask(owner, route)).headers.get('etag') ?? ''
    const state = whole.replace(/(\.[0-9a-f]{8})?"$/, '')
    assert.match(etag, new RegExp(`^${state}\\.[0-9a-f]{8}"$`))
    assert.notEqual(etag, (await ask(owner, route, { query: '?fields=updatedAt' })).headers.get('etag'))
    assert.equal((await ask(owner, route, { query, headers: { 'if-none-match': whole } })).status, 200, lineOf(route))
    assert.equal((await ask(owner, route, { headers: { 'if-match': etag } })).status, 200, lineOf(route))
    const known = await ask(owner, route, { query, headers: { 'if-none-match': etag } })
    assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag], lineOf(route))
    assert.equal((await ask(owner, route, { query, headers: { 'if-match': '"0"' } })).status, 412)
  }
})

test('a resource that the caller does not see gets 404, and one that its role does not allow 403, with any fields', async () => {
  for (const fields of ['id', 'colour']) {
    assert.equal((await member.get(`/tasks/${hidden.tasks}?fields=${fields}`)).status, 404)
    assert.equal((await member.get(`/projects/${hidden.projects}?fields=${fields}`)).status, 404)
    assert.equal((await member.get(`/webhooks/${open.webhooks}?fields=${fields}`)).status, 403)
  }
})

test('a cursor list continues in each of its orders, with or without the sorted field among the fields', async () => {
  const byCursor = selecting.flatMap(({ route }) => {
    const parameters = new Map(fieldsOf(route.query))
    const sorts = (parameters.get('sort')?.enum ?? []) as string[]
    // by position takes a board, by relevance words
    const orders = sorts.filter((sort) => /^-(?!position|relevance)/.test(sort)).map((sort) => `&sort=${sort}`)
    return parameters.has('cursor') ? [{ route, orders: ['', ...orders] }] : []
  })
  assert.ok(byCursor.length >= 5)
  for (const { route, orders } of byCursor) {
    for (const order of orders) {
      const { data } = (await read(route, `limit=100${order}`)) as { data: Item[] }
      const from = Math.max(1, data.length - 1)
      const first = await read(route, `limit=${from}&fields=version${order}`)
      const { nextCursor } = first.pagination as { nextCursor: string | null }
      const rest = nextCursor
        ? await read(route, `limit=${from}&fields=version&cursor=${nextCursor}${order}`)
        : { data: [] }
      assert.deepEqual(
        [first.data, rest.data].flat(),
        data.map(({ version }) => ({ version })),
        lineOf(route) + order,
      )
      assert.equal(nextCursor === null, data.length === 1)
    }
  }
})

test('include adds its parts with any fields, and is not a field itself', async () => {
  const including = selecting.flatMap(({ route, selectable }) => {
    const shown = new Set(namesOf(selectable))
    const added = fieldsOf(route.query).some(([name]) => name === 'include')
    return added
      ? [{ route, selectable, parts: Object.keys(selectable.item.shape).filter((name) => !shown.has(name)) }]
      : []
  })
  assert.ok(including.length >= 10)
  for (const { route, selectable, parts } of including) {
    const names = parts.filter((name) => !name.startsWith('more'))
    const items = itemsOf(selectable, await read(route, `include=${names}&${allOf(selectable)}`))
    const wanted = items.map((item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => name === 'updatedAt' || parts.includes(name))),
    )
    const cut = await read(route, `include=${names}&fields=updatedAt`)
    assert.deepEqual(itemsOf(selectable, cut), wanted, lineOf(route))
    assert.deepEqual(invalidFields(await ask(owner, route, { query: `?fields=${names[0]}` })), ['fields'])
  }
})

test('the creator of a key sees with which key it was created, also when requesting that field alone', async () => {
  const { id, createdWith } = (await member.post('/api-keys', { name: 'Made by its member' })).body
  assert.notEqual(createdWith, null)
  assert.deepEqual((await member.get(`/api-keys/${id}?fields=createdWith`)).body, { createdWith })
  const { data } = (await member.get('/api-keys?fields=createdWith&limit=1')).body
  assert.deepEqual(data, [{ createdWith }])
})

test('a HEAD with fields gets the headers of the GET, without the body', async () => {
  const [get, head] = [await owner.get('/tags?fields=id'), await owner.call('HEAD', '/tags?fields=id')]
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
  assert.equal((await owner.call('HEAD', '/tags?fields=colour')).status, 422)
})

test('a write takes no fields parameter', async () => {
  const { formErrors } = detailsOf(await owner.post('/tags?fields=id', { name: 'Whole' }))
  assert.deepEqual(formErrors, ['Unknown parameter: fields'])
})
