import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../src/db/ids.ts'
import { normalizeText } from '../../src/db/normalize-text.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { detailsOf, invalidFields } from '../support/envelope.ts'
import { rounds } from '../support/rounds.ts'
import { bodiesOf } from '../support/sample-bodies.ts'
import { fieldsOf, lineOf, startScenes } from '../support/scene.ts'
import { created } from '../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>

const parametersOf = (route: Route) => fieldsOf(route.query).map(([name]) => name)
// a search answers several lists, of each the first
const lists = routes.filter(
  (route) => route.method === 'GET' && parametersOf(route).includes('limit') && route.path !== '/search',
)
const byCursor = (route: Route) => parametersOf(route).includes('cursor')

const { scene } = await startScenes()
const { world, open, hidden, ask } = await scene()
const { owner } = world

/** What makes the items of a list that no POST to its path does. */
const changes: Record<string, string> = {
  'GET /subtasks': 'POST /tasks/{id}/subtasks',
  'GET /comments': 'POST /tasks/{id}/comments',
  'GET /tasks/{id}/history': 'PATCH /tasks/{id}',
  'GET /events': 'PATCH /tasks/{id}',
  'GET /audit': 'POST /api-keys',
  'GET /trash': 'POST /tags',
  'GET /invitations': 'POST /members',
}

const names = ['zebra', 'Éclair', 'apple', 'Zoo', 'ärger', 'Apfel']

/** Makes an item of a list, by the sample body of what makes them. */
async function more(list: Route, i: number): Promise<void> {
  if (lineOf(list) === 'GET /webhooks/{id}/deliveries') {
    await world.delivery(open.webhooks ?? '', i === 0 ? { status: 'delivered' } : {})
    return
  }
  if (lineOf(list) === 'GET /audit/refused-sign-ins') {
    await world.refusedSignIn((i === 0 && open['api-keys']) || newId())
    return
  }
  const line = changes[lineOf(list)] ?? `POST ${list.path}`
  const route = routes.find((candidate) => lineOf(candidate) === line) ?? assert.fail(`What makes ${lineOf(list)}?`)
  // who is added to a project must be new to it
  const added = lineOf(route) === 'POST /projects/{id}/members' ? await world.join('Sue Stranger', 'member') : owner
  const [sample] = bodiesOf(route, open, added)
  const name = `${names[i % names.length]} ${randomUUID()}`
  const invite = lineOf(list) === 'GET /invitations' ? { invite: true } : {}
  const { status, text, body } = await ask(owner, route, {
    body: 'name' in sample ? { ...sample, ...invite, name } : sample,
  })
  assert.ok(status < 300, `${line}: ${text}`)
  if (lineOf(list) === 'GET /trash') assert.equal((await owner.delete(`/tags/${body.id}`)).status, 204)
}

/** Lets the items of lists differ in all that can be filtered by. */
async function differ() {
  const { task, timeEntry, stages, tag } = world
  const second = await tag()
  const [, done] = await stages(open.workspaces ?? '')
  assert.equal((await owner.patch(`/stages/${done.id}`, { category: 'done' })).status, 200)
  const labels = { typeId: open['task-types'], tagIds: [open.tags, second.id], assigneeIds: [open.members] }
  const onBoard = { projectId: open.projects ?? '', workspaceId: open.workspaces, stageId: done.id }
  await task({ ...onBoard, ...labels, priority: 'high', dueDate: '2026-01-10' })
  await task({ projectId: hidden.projects ?? '', dueDate: '2026-02-10' })
  assert.equal((await world.member.post('/tasks', { ...onBoard, name: 'Of another', tagIds: [second.id] })).status, 201)
  const [taskId, memberId] = [hidden.tasks, hidden.members]
  await timeEntry({
    taskId,
    memberId,
    tagIds: [open.tags, second.id],
    billable: true,
    startedAt: '2026-01-10T08:00:00Z',
  })
  await timeEntry({ subtaskId: open.nextSubtask, startedAt: '2026-01-12T08:00:00Z' })
  await timeEntry({ subtaskId: open.subtasks, tagIds: [second.id], startedAt: '2026-01-11T08:00:00Z' })
  assert.equal((await owner.patch(`/subtasks/${open.subtasks}`, { assigneeId: memberId })).status, 200)
  assert.equal((await owner.post(`/subtasks/${open.nextSubtask}/finalize`)).status, 200)
  const guest = { name: 'Gil Guest', email: `${randomUUID()}@example.com`, invite: true }
  const { invitation } = await created(owner.post('/members', guest))
  const token = invitation.link.split('#invitation=')[1]
  assert.equal((await owner.post('/auth/invitation/accept', { token })).status, 204)
  const colleague = await world.join('Clara Commenter', 'admin')
  await created(colleague.post(`/tasks/${open.tasks}/comments`, { body: 'Seen' }))
  assert.equal((await owner.post(`/webhooks/${hidden.webhooks}/pause`)).status, 200)
  assert.equal((await owner.post(`/projects/${hidden.projects}/archive`)).status, 200)
}

await differ()
for (const list of lists) for (let i = 0; i < 5; i++) await more(list, i)
await world.keysUsed()

const read = async (list: Route, query: string) => {
  const { status, body, text } = await ask(owner, list, { query: `?${query}` })
  assert.equal(status, 200, `${lineOf(list)} ${query}: ${text}`)
  return body
}

// of which there are more than one page
const logs = ['GET /events', 'GET /audit']

/** Everything in a list that the filter matches, from one page, but for events and acts, of which there are more. */
const all = async (list: Route, filter = ''): Promise<Item[]> => {
  const { data, total, pagination } = await read(list, `limit=100${filter}`)
  if (logs.includes(lineOf(list)) && pagination.nextCursor !== null)
    return [...data, ...(await all(list, `${filter.replace(/&cursor=.*/, '')}&cursor=${pagination.nextCursor}`))]
  assert.ok(pagination ? pagination.nextCursor === null : data.length === total)
  return data
}

/** The same from small pages. */
async function pageByPage(list: Route, filter = ''): Promise<Item[]> {
  const items: Item[] = []
  const limit = logs.includes(lineOf(list)) ? rounds(20, 3) : 3
  for (let from = byCursor(list) ? '' : '&offset=0'; ; ) {
    const { data, total, pagination } = await read(list, `limit=${limit}${filter}${from}`)
    items.push(...data)
    assert.ok(data.length <= limit)
    const last = byCursor(list) ? pagination.nextCursor === null : items.length >= total
    if (last) return items
    assert.equal(data.length, limit, `${lineOf(list)} has a page before the last one that is not full`)
    from = byCursor(list) ? `&cursor=${pagination.nextCursor}` : `&offset=${items.length}`
  }
}

test('the pages of every list together are the whole list in one order', async () => {
  for (const list of lists) {
    const items = await all(list)
    assert.ok(items.length > 4, lineOf(list))
    assert.deepEqual(await pageByPage(list), items, lineOf(list))
  }
})

test('an offset list returns data and total, also on a page past the end; a cursor list returns data and nextCursor', async () => {
  for (const list of lists) {
    const { length: total } = await all(list)
    const { data, ...rest } = await read(list, 'limit=2')
    assert.equal(data.length, 2)
    if (byCursor(list)) {
      assert.deepEqual(Object.keys(rest), ['pagination'])
      assert.deepEqual(Object.keys(rest.pagination), ['nextCursor'])
      continue
    }
    assert.deepEqual(rest, { total }, lineOf(list))
    for (const offset of [total, 1_000, Number.MAX_SAFE_INTEGER])
      assert.deepEqual(await read(list, `offset=${offset}`), { data: [], total }, lineOf(list))
  }
})

test('an offset below 0 or not whole, a cursor that no list gave, and the parameter of the other kind of list get 422', async () => {
  const wrong = { offset: ['-1', '1.5', 'abc', '', '1&offset=1'], cursor: ['', 'abc', randomUUID()] }
  for (const list of lists) {
    const [own, other] = byCursor(list) ? (['cursor', 'offset'] as const) : (['offset', 'cursor'] as const)
    for (const value of wrong[own])
      assert.deepEqual(invalidFields(await ask(owner, list, { query: `?${own}=${value}` })), [own], lineOf(list))
    const { formErrors } = detailsOf(await ask(owner, list, { query: `?${other}=1` }))
    assert.deepEqual(formErrors, [`Unknown parameter: ${other}`], lineOf(list))
  }
})

type Order = (item: Item) => (string | number)[]

const byName: Order = ({ name, id, memberId }) => [normalizeText(name), id ?? memberId]
const byPosition: Order = ({ position, id }) => [position, id]
const byCreation: Order = ({ createdAt, id }) => [createdAt, id]

/** What each list is ordered by, and whether the largest comes first. */
const orders: Record<string, { by: Order; descending?: true }> = {
  'GET /members': { by: byName },
  'GET /api-keys': { by: byCreation, descending: true },
  'GET /invitations': { by: byCreation, descending: true },
  'GET /projects': { by: byCreation, descending: true },
  'GET /projects/{id}/members': { by: byName },
  'GET /workspaces': { by: byName },
  'GET /workspaces/{id}/stages': { by: byPosition },
  'GET /task-types': { by: byName },
  'GET /tags': { by: byName },
  'GET /tasks': { by: byCreation, descending: true },
  'GET /tasks/{id}/subtasks': { by: byPosition },
  'GET /tasks/{id}/comments': { by: byCreation },
  'GET /subtasks': { by: byCreation, descending: true },
  'GET /comments': { by: byCreation, descending: true },
  'GET /time-entries': { by: ({ startedAt, id }) => [startedAt, id], descending: true },
  'GET /tasks/{id}/history': { by: ({ sequence }) => [sequence], descending: true },
  'GET /webhooks': { by: byCreation, descending: true },
  'GET /webhooks/{id}/deliveries': { by: byCreation, descending: true },
  'GET /events': { by: ({ sequence }) => [sequence] },
  'GET /audit': { by: ({ sequence }) => [sequence], descending: true },
  'GET /trash': { by: ({ deletedAt, id }) => [deletedAt, id], descending: true },
  'GET /audit/refused-sign-ins': { by: ({ hour }) => [hour], descending: true },
}

test('every list has its own order, and only sort changes it, if the list has sort', async () => {
  assert.deepEqual(Object.keys(orders).sort(), lists.map(lineOf).sort())
  for (const list of lists) {
    const { by, descending } = orders[lineOf(list)] ?? assert.fail()
    const items = await all(list)
    const keys = items.map(by)
    const ascending = (descending ? keys.toReversed() : keys).map((key) => key)
    assert.deepEqual(ascending, ascending.toSorted(compare), lineOf(list))
    for (const parameter of ['sort', 'order', 'orderBy'].filter((name) => !parametersOf(list).includes(name))) {
      const { formErrors } = detailsOf(await ask(owner, list, { query: `?${parameter}=name` }))
      assert.deepEqual(formErrors, [`Unknown parameter: ${parameter}`], lineOf(list))
    }
  }
})

function compare(one: (string | number)[], other: (string | number)[]): number {
  const at = one.findIndex((value, i) => value !== other[i])
  return at < 0 ? 0 : (one[at] ?? '') < (other[at] ?? '') ? -1 : 1
}

/** What a filter means: values to try, taken from the items, and whether an item matches one of them. */
interface Meaning {
  values: (items: Item[]) => unknown[]
  matches: (item: Item, value: string) => boolean
}

const yesOrNo = (matches: (item: Item) => boolean): Meaning => ({
  values: () => [true, false],
  matches: (item, value) => String(matches(item)) === value,
})

const boards: Item[] = (await owner.get('/workspaces?limit=100')).body.data
const stages: Item[] = (await Promise.all(boards.map(({ id }) => world.stages(id)))).flat()
const steps: Item[] = (await owner.get('/subtasks?limit=100')).body.data

/** Filters whose name does not say which field of an item they look at. */
const meanings: Record<string, Meaning> = {
  'GET /projects memberId': {
    values: () => [open.members, 'me'],
    matches: ({ id }, value) => value === 'me' || id === open.projects,
  },
  'GET /invitations state': {
    values: () => ['open', 'accepted', 'expired'],
    matches: ({ acceptedAt }, value) => value === (acceptedAt === null ? 'open' : 'accepted'),
  },
  'GET /tasks stageCategory': {
    values: () => ['done', 'todo'],
    matches: ({ stageId }, value) => stages.some((stage: Item) => stage.id === stageId && stage.category === value),
  },
  'GET /tasks completed': yesOrNo(({ completedAt }) => completedAt !== null),
  'GET /subtasks finalized': yesOrNo(({ finalizedAt }) => finalizedAt !== null),
  'GET /comments since': {
    values: (items) => items.map(({ createdAt }) => createdAt),
    matches: ({ createdAt }, value) => createdAt >= value,
  },
  'GET /time-entries taskId': {
    values: (items) => items.flatMap(({ taskId }) => taskId ?? []),
    matches: ({ taskId, subtaskId }, value) =>
      taskId === value || steps.some((step) => step.id === subtaskId && step.taskId === value),
  },
  'GET /time-entries running': yesOrNo(({ endedAt }) => endedAt === null),
  'GET /events resourceId': {
    values: (items) => items.map(({ resource }) => resource.id),
    matches: ({ resource }, value) => resource.id === value,
  },
  'GET /events taskId': {
    values: (items) => items.flatMap(({ snapshot }) => snapshot.taskId ?? []),
    matches: ({ resource, snapshot }, value) =>
      resource.type === 'task' ? resource.id === value : taskIdOf(snapshot) === value,
  },
  'GET /events actorId': {
    values: () => [owner.memberId, open.members],
    matches: ({ actor }, value) => actor.memberId === value,
  },
  'GET /audit actorId': {
    values: () => [owner.memberId, open.members],
    matches: ({ actor }, value) => actor.memberId === value,
  },
  'GET /audit/refused-sign-ins hourAfter': {
    values: (items) => items.map(({ hour }) => hour),
    matches: ({ hour }, value) => hour >= value,
  },
  'GET /audit/refused-sign-ins hourBefore': {
    values: (items) => items.map(({ hour }) => hour),
    matches: ({ hour }, value) => hour < value,
  },
  'GET /events since': {
    values: (items) => items.map(({ createdAt }) => createdAt),
    matches: ({ createdAt }, value) => createdAt >= value,
  },
  'GET /events after': {
    values: (items) => [0, ...items.map(({ sequence }) => sequence)],
    matches: ({ sequence }, value) => sequence > Number(value),
  },
}

/**
 * `taskId` is a field or one of `taskIds`, as `anyTagId` is, `dueBefore` looks at `dueDate`, `startedAfter` at `startedAt`,
 * `q` at the name; `none` means that there is nothing, `me` who asks.
 */
function meaningOf(list: Route, filter: string, items: Item[]): Meaning {
  const known = meanings[`${lineOf(list)} ${filter}`]
  if (known) return known
  const has = (field: string) => items.some((item) => field in item)
  const valuesOf = (field: string) => () => items.flatMap((item) => item[field] ?? [])
  if (filter === 'q') return { values: valuesOf('name'), matches: ({ name }, value) => name.includes(value) }
  const single = filter.replace(/^any(.)/, (_, letter) => letter.toLowerCase())
  const field = [single, `${single}s`].find(has)
  if (field) {
    const matches = (item: Item, value: string) => {
      const held = [item[field] ?? []].flat().map(String)
      return value === 'none' && !held.includes('none') ? held.length === 0 : held.includes(value === 'me' ? me : value)
    }
    return { values: () => [...valuesOf(field)(), ...wordsOf(list, filter)], matches }
  }
  const [, stem, side] = /^(\w+)(Before|After)$/.exec(filter) ?? []
  const moment = [`${stem}At`, `${stem}Date`].find(has)
  assert.ok(moment, `Say in every-list.test.ts what the filter ${filter} of ${lineOf(list)} means`)
  const matches = (item: Item, value: string) =>
    item[moment] !== null && (side === 'Before' ? item[moment] < value : item[moment] >= value)
  return { values: valuesOf(moment), matches }
}

/** The task that a snapshot of a subtask, a comment or time belongs to. */
const taskIdOf = ({ taskId, subtaskId }: Item) => taskId ?? taskOfSubtask.get(subtaskId)
const taskOfSubtask = new Map(
  (await all(lists.find((list) => lineOf(list) === 'GET /subtasks') ?? assert.fail())).map(({ id, taskId }) => [
    id,
    taskId,
  ]),
)

const me = owner.memberId
const fieldOf = (list: Route, filter: string) => JSON.stringify(Object.fromEntries(fieldsOf(list.query))[filter])
const wordsOf = (list: Route, filter: string) =>
  ['me', 'none'].filter((word) => fieldOf(list, filter).includes(JSON.stringify(word)))

/** The filters of a list, and how many values each takes. */
const filtersOf = (list: Route) =>
  parametersOf(list)
    .filter((name) => !['limit', 'offset', 'cursor', 'sort', 'include', 'fields'].includes(name))
    .map((name) => ({ name, most: Number(/"maxItems":(\d+)/.exec(fieldOf(list, name))?.[1] ?? 1) }))

test('each filter of every list returns the items that match it and no others, on each page and in the total', async () => {
  for (const list of lists) {
    const items = await all(list)
    for (const { name: filter } of filtersOf(list)) {
      const { values, matches } = meaningOf(list, filter, items)
      const tried = [...new Set(values(items).map(String))]
      let tellsApart = false
      for (const [n, value] of [...tried.slice(0, 3), ...tried.slice(3).slice(-rounds(1, 2))].entries()) {
        const expected = items.filter((item) => matches(item, value))
        const query = `&${filter}=${encodeURIComponent(value)}`
        assert.deepEqual(await all(list, query), expected, `${lineOf(list)} ${query}`)
        if (n < rounds(1, 5)) assert.deepEqual(await pageByPage(list, query), expected, `${lineOf(list)} ${query}`)
        if (!byCursor(list)) assert.equal((await read(list, `limit=1${query}`)).total, expected.length)
        tellsApart ||= expected.length > 0 && expected.length < items.length
      }
      assert.ok(tellsApart, `Let the items of ${lineOf(list)} differ in what ${filter} asks for`)
    }
  }
})

test('several values of a filter, repeated or separated by commas, match any of them; tags must all match; each value is given once', async () => {
  let tried = 0
  for (const list of lists) {
    const items = await all(list)
    for (const { name, most } of filtersOf(list).filter(({ most }) => most > 1)) {
      const { values, matches } = meaningOf(list, name, items)
      const distinct = [...new Set(values(items).map(String))]
      const given = [...new Set([...distinct.slice(0, 2), ...distinct.slice(-2)])].slice(0, most)
      assert.ok(given.length > 1, `Let the items of ${lineOf(list)} differ in what ${name} asks for`)
      const expected = items.filter((item) =>
        name === 'tagId' ? given.every((value) => matches(item, value)) : given.some((value) => matches(item, value)),
      )
      for (const query of [`&${name}=${given.join()}`, given.map((value) => `&${name}=${value}`).join('')]) {
        assert.deepEqual(await all(list, query), expected, `${lineOf(list)} ${query}`)
        assert.deepEqual(await pageByPage(list, query), expected, `${lineOf(list)} ${query}`)
        if (!byCursor(list)) assert.equal((await read(list, `limit=1${query}`)).total, expected.length)
      }
      const wrong = [`${given.join()},${given[0]}`, `${given.join()},`, `${given[0]},x`]
      if (fieldOf(list, name).includes('"uuid"')) wrong.push(Array.from({ length: most + 1 }, randomUUID).join())
      for (const value of wrong)
        assert.deepEqual(invalidFields(await ask(owner, list, { query: `?${name}=${value}` })), [name], value)
      tried++
    }
  }
  assert.ok(tried > 15, `${tried}`)
})

test('every cursor list of the whole organization except events and audit entries returns up to 100 items by their ids', async () => {
  for (const list of lists.filter((candidate) => byCursor(candidate) && !candidate.path.includes('{'))) {
    const ids = filtersOf(list).find(({ name }) => name === 'id')
    if (!logs.includes(lineOf(list))) assert.equal(ids?.most, 100, lineOf(list))
  }
})

test('no list shows or counts deleted items, except revoked keys, events and deliveries', async () => {
  const remembering = [
    ...['GET /api-keys', 'GET /tasks/{id}/history', 'GET /webhooks/{id}/deliveries', 'GET /audit/refused-sign-ins'],
    'GET /trash',
    ...logs,
  ]
  for (const list of lists.filter((candidate) => !remembering.includes(lineOf(candidate)))) {
    await more(list, 0)
    const items = await all(list)
    const { id, memberId } = items.findLast(isFresh) ?? assert.fail(lineOf(list))
    const path = memberId && !id ? `/projects/${open.projects}/members/${memberId}` : `/${nounOf(list)}/${id}`
    assert.equal((await owner.delete(path)).status, 204, path)
    const left = items.filter((item) => (item.id ?? item.memberId) !== (id ?? memberId))
    assert.deepEqual(await all(list), left, lineOf(list))
    if (!byCursor(list)) assert.equal((await read(list, 'limit=1')).total, left.length)
  }
})

const nounOf = ({ path }: Route) => path.split('/').at(-1)

/** Nothing else stands on it: it was made for these lists. */
const isFresh = (item: Item) =>
  !Object.values(open).includes(item.id ?? item.memberId) && item.role !== 'lead' && item.role !== 'owner'

test('a reader of a cursor list gets each row that stays exactly once, during any creations, updates and deletions', async () => {
  const editOf = (list: Route) => routes.find(({ method, path }) => method === 'PATCH' && path === `${list.path}/{id}`)
  // events and deliveries neither change nor go
  const cursorLists = lists.filter((list) => byCursor(list) && editOf(list))
  assert.ok(cursorLists.length >= 2)
  for (const list of cursorLists) {
    for (let i = 0; i < 3; i++) await more(list, i)
    const before = (await all(list)).map(({ id }) => id as string)
    const edit = editOf(list) ?? assert.fail()
    const [seen, gone]: [string[], string[]] = [[], []]
    for (let cursor = ''; ; ) {
      const { data, pagination } = await read(list, `limit=2${cursor}`)
      seen.push(...data.map(({ id }: Item) => id))
      if (pagination.nextCursor === null) break
      cursor = `&cursor=${pagination.nextCursor}`
      // the row that the cursor stands for goes, one that is yet to come changes, and a newer one comes
      const anchor = data.at(-1)
      if (gone.length < 2 && isFresh(anchor)) {
        assert.equal((await owner.delete(`${list.path}/${anchor.id}`)).status, 204)
        gone.push(anchor.id)
      }
      const toCome = before.findLast((id) => !seen.includes(id) && Object.values(open).includes(id))
      if (toCome) assert.equal((await ask(owner, edit, { things: { [nounOf(list) ?? '']: toCome } })).status, 200)
      if (seen.length < 8) await more(list, 0)
    }
    const stayed = before.filter((id) => !gone.includes(id))
    assert.ok(gone.length > 0)
    assert.deepEqual(
      seen.filter((id) => stayed.includes(id)),
      stayed,
      lineOf(list),
    )
    assert.equal(new Set(seen).size, seen.length, lineOf(list))
  }
})
