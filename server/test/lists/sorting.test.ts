import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { detailsOf, invalidFields } from '../support/envelope.ts'
import { type Api, sharedServer } from '../support/world.ts'

const { newWorld, db } = await sharedServer()

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>

const ranks = ['none', 'low', 'medium', 'high', 'urgent']

/** What a list is sorted by, as its items show it; null comes last in both directions. */
const keysOf: Record<string, Record<string, (item: Item) => unknown[]>> = {
  '/tasks': {
    createdAt: ({ createdAt }) => [createdAt],
    updatedAt: ({ updatedAt }) => [updatedAt],
    dueDate: ({ dueDate }) => [dueDate],
    priority: ({ priority }) => [ranks.indexOf(priority)],
    completedAt: ({ completedAt }) => [completedAt],
  },
  '/subtasks': {
    createdAt: ({ createdAt }) => [createdAt],
    finalizedAt: ({ finalizedAt }) => [finalizedAt],
  },
  '/comments': {
    createdAt: ({ createdAt }) => [createdAt],
  },
  '/time-entries': {
    startedAt: ({ startedAt }) => [startedAt],
    createdAt: ({ createdAt }) => [createdAt],
    updatedAt: ({ updatedAt }) => [updatedAt],
  },
}

/** Tasks and time in three projects, many of which are equal in what they are sorted by; who sees all, and who sees one project. */
async function scene() {
  const world = await newWorld()
  const { owner, orgId, project, workspace, stages, task, subtask, timeEntry, join, addToProject } = world
  const projects = [await project(), await project(), await project()]
  const { id: workspaceId } = await workspace({ stages: ['First', 'Second', 'Third'] })
  const columns: Item[] = await stages(workspaceId)
  const [first, second, third] = columns.map(({ id }) => id)
  await owner.patch(`/stages/${third}`, { category: 'done' })
  // the third stage comes first, so that stages are not in the order of their ids
  await owner.post(`/stages/${third}/move`, { beforeId: first })
  const fill = async (i: number) => {
    const place = i % 5 === 4 ? {} : { workspaceId, stageId: [first, second, third][Math.floor(i / 3) % 3] }
    const dueDate = i % 4 === 0 ? null : `2026-03-0${1 + (i % 3)}`
    const fields = { projectId: projects[i % 3].id, ...place, dueDate, priority: ranks[(i * 7) % 5] }
    const { id: taskId } = await task(fields)
    await timeEntry({ taskId, startedAt: `2026-03-01T0${i % 4}:00:00Z` })
    await owner.post(`/tasks/${taskId}/comments`, { body: `Remark ${i}` })
    const { id } = await subtask(taskId)
    if (i % 3 > 0) await owner.post(`/subtasks/${id}/finalize`)
  }
  await Promise.all(Array.from({ length: 24 }, (_, i) => fill(i)))
  // moments that several share, and that differ by a millisecond
  for (const table of [sql`tasks`, sql`subtasks`, sql`comments`, sql`time_entries`])
    await db.rows(sql`
      update ${table} set updated_at = (timestamp '2026-05-01T00:00:00' + (get_byte(decode(substr(md5(id::text), 1, 2), 'hex'), 0) % 3)
        * interval '1 millisecond') at time zone 'UTC' where org_id = ${orgId}`)
  await db.rows(sql`
    update subtasks set finalized_at = date_trunc('second', finalized_at at time zone 'UTC') at time zone 'UTC'
    where org_id = ${orgId} and finalized_at is not null`)
  const some = await join('Member of one', 'member')
  await addToProject(projects[1].id, some)
  return { ...world, projects, workspaceId, stageIds: [third, first, second], some }
}

async function readAll(api: Api, path: string, limit: number): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor = ''; ; ) {
    const { status, body, text } = await api.get(`${path}&limit=${limit}${cursor}`)
    assert.equal(status, 200, text)
    items.push(...body.data)
    if (body.pagination.nextCursor === null) return items
    assert.equal(body.data.length, limit)
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

/** In order by these keys and then by the id, both in one direction, but what has no key last. */
function compare(keyOf: (item: Item) => unknown[], descending: boolean) {
  const sign = descending ? -1 : 1
  return (one: Item, other: Item): number => {
    const [a, b] = [
      [...keyOf(one), one.id],
      [...keyOf(other), other.id],
    ]
    const at = a.findIndex((value, i) => value !== b[i])
    const [x, y] = [a[at] as string, b[at] as string]
    if (at < 0) return 0
    if (x === null || y === null) return x === null ? 1 : -1
    return (x < y ? -1 : 1) * sign
  }
}

const { owner, some, projects, workspaceId, stageIds } = await scene()

for (const [path, keys] of Object.entries(keysOf)) {
  test(`${path} comes by ${Object.keys(keys).join(', ')}, then by id, in both directions, and items without a value come last`, async () => {
    const items = (await owner.get(`${path}?limit=100`)).body.data as Item[]
    const own = items.filter(({ projectId }) => projectId === projects[1].id)
    for (const [name, keyOf] of Object.entries(keys)) {
      assert.ok(new Set(items.map((item) => keyOf(item)[0])).size > 1, name)
      for (const [sort, descending] of [
        [name, false],
        [`-${name}`, true],
      ] as const) {
        const order = compare(keyOf, descending)
        for (const limit of [100, 5, 1])
          assert.deepEqual(await readAll(owner, `${path}?sort=${sort}`, limit), items.toSorted(order), sort)
        for (const query of ['', `&projectId=${projects[1].id}`])
          assert.deepEqual(await readAll(some, `${path}?sort=${sort}${query}`, 3), own.toSorted(order), sort)
        assert.deepEqual(await readAll(some, `${path}?sort=${sort}&projectId=${projects[0].id}`, 3), [])
      }
    }
  })
}

test('/tasks come by position within one stage, or stage by stage within one workspace', async () => {
  const items = ((await owner.get('/tasks?limit=100')).body.data as Item[]).filter(({ stageId }) => stageId !== null)
  const keys = ({ stageId, position }: Item) => [stageIds.indexOf(stageId), position]
  const [stageId] = stageIds
  const within = [
    { query: `workspaceId=${workspaceId}`, among: items },
    { query: `stageId=${stageId}`, among: items.filter((item) => item.stageId === stageId) },
    { query: `stageId=${stageId}&workspaceId=${workspaceId}`, among: items.filter((item) => item.stageId === stageId) },
  ]
  for (const { query, among } of within) {
    assert.ok(among.length > 4)
    for (const descending of [false, true]) {
      const path = `/tasks?sort=${descending ? '-' : ''}position&${query}`
      const sorted = among.toSorted(compare(keys, descending))
      for (const limit of [100, 3, 1]) assert.deepEqual(await readAll(owner, path, limit), sorted, path)
      const own = sorted.filter(({ projectId }) => projectId === projects[1].id)
      assert.deepEqual(await readAll(some, path, 2), own, path)
    }
  }
})

test('position needs one stage or one workspace: 422 in fieldErrors.sort', async () => {
  for (const query of ['', `&projectId=${projects[0].id}`])
    for (const sort of ['position', '-position'])
      assert.deepEqual(detailsOf(await owner.get(`/tasks?sort=${sort}${query}`)).fieldErrors, {
        sort: ['Sorting by position needs exactly one stageId, or one workspaceId for all of its stages'],
      })
})

test('a sort that a list does not have gets 422 in fieldErrors.sort, which says why and what the list has', async () => {
  for (const [path, sorts, sentence] of [
    ['/tasks', ['name', '-name', 'key'], 'Sorting by name is not supported'],
    ['/tasks', ['', '-', 'created', '+dueDate', 'dueDate,priority', 'toString'], 'Must be one of createdAt,'],
    ['/subtasks', ['name'], 'Sorting by name is not supported'],
    ['/subtasks', ['updatedAt'], 'Sorting by this field is not supported'],
    ['/comments', ['-updatedAt'], 'Sorting by this field is not supported'],
    ['/subtasks', ['dueDate', 'position'], 'Must be one of createdAt,'],
    ['/comments', ['finalizedAt'], 'Must be one of createdAt;'],
    ['/time-entries', ['dueDate', 'position'], 'Must be one of startedAt,'],
    ['/time-entries', ['startedAt&sort=createdAt'], 'Must be sent only once'],
  ] as const)
    for (const sort of sorts) {
      const { fieldErrors } = detailsOf(await owner.get(`${path}?sort=${sort}`))
      assert.deepEqual(Object.keys(fieldErrors), ['sort'], sort)
      const [said = ''] = fieldErrors.sort ?? []
      assert.ok(said.includes(sentence), said)
      if (sentence !== 'Must be sent only once') assert.match(said, /createdAt/)
    }
})

test('the default orders have names, and a cursor is the same with the name and without', async () => {
  for (const [path, sort] of [
    ['/tasks', '-createdAt'],
    ['/subtasks', '-createdAt'],
    ['/comments', '-createdAt'],
    ['/time-entries', '-startedAt'],
  ]) {
    const { body } = await owner.get(`${path}?limit=4`)
    assert.deepEqual((await owner.get(`${path}?limit=4&sort=${sort}`)).body, body)
    const behind = `${path}?limit=4&cursor=${body.pagination.nextCursor}`
    assert.deepEqual((await owner.get(`${behind}&sort=${sort}`)).body, (await owner.get(behind)).body)
  }
})

test('a cursor continues only in the order that it was given in: otherwise 422 in fieldErrors.cursor', async () => {
  const asked = Object.entries(keysOf).flatMap(([path, keys]) =>
    Object.keys(keys).flatMap((name) => [`${path}?sort=${name}`, `${path}?sort=-${name}`]),
  )
  const placed = [`stageId=${stageIds[0]}`, `workspaceId=${workspaceId}`]
  for (const query of placed) asked.push(`/tasks?sort=position&${query}`, `/tasks?sort=-position&${query}`)
  const cursorOf = async (path: string, limit: number): Promise<string> =>
    (await owner.get(`${path}&limit=${limit}`)).body.pagination.nextCursor ?? assert.fail(`${path} has one page`)
  const cursors = new Map<string, string>()
  for (const path of asked) cursors.set(path, await cursorOf(path, 2))
  for (const path of asked)
    for (const [from, cursor] of cursors) {
      let reply = await owner.get(`${path}&cursor=${cursor}`)
      if (from === path) {
        assert.equal(reply.status, 200, path)
        continue
      }
      // noise passes for a place about once in 13,000 times, and hardly so twice
      if (reply.status === 200) reply = await owner.get(`${path}&cursor=${await cursorOf(from, 3)}`)
      assert.deepEqual(invalidFields(reply), ['cursor'], `${from} in ${path}`)
    }
})

test('limit and filters can change between the pages of a sorted list', async () => {
  const all = await readAll(owner, '/tasks?sort=dueDate', 100)
  const { nextCursor } = (await owner.get('/tasks?sort=dueDate&limit=7')).body.pagination
  const { body } = await owner.get(`/tasks?sort=dueDate&projectId=${projects[2].id}&cursor=${nextCursor}`)
  const rest = all.slice(7).filter(({ projectId }) => projectId === projects[2].id)
  assert.ok(rest.length > 2)
  assert.deepEqual(body.data, rest)
})

test('a filter that leaves only tasks with a value, or only those without, keeps their order', async () => {
  const items = (await owner.get('/tasks?limit=100')).body.data as Item[]
  const kept: Record<string, (item: Item) => boolean> = {
    'completedAt&completed=true': ({ completedAt }) => completedAt !== null,
    'completedAt&completed=false': ({ completedAt }) => completedAt === null,
    'dueDate&dueAfter=2026-03-02': ({ dueDate }) => dueDate !== null && dueDate >= '2026-03-02',
  }
  for (const [sort, matches] of Object.entries(kept))
    for (const descending of [false, true]) {
      const path = `/tasks?sort=${descending ? '-' : ''}${sort}`
      const keyOf = (item: Item) => [item[sort.split('&')[0] ?? '']]
      const expected = items.filter(matches).toSorted(compare(keyOf, descending))
      assert.ok(expected.length > 3)
      for (const limit of [100, 2]) assert.deepEqual(await readAll(owner, path, limit), expected, path)
    }
  // a cursor among those without a value goes on to nothing where a filter leaves only others
  const open = items.filter(({ completedAt }) => completedAt === null).length
  const { nextCursor } = (await owner.get(`/tasks?sort=completedAt&limit=${items.length - open + 1}`)).body.pagination
  const { body } = await owner.get(`/tasks?sort=completedAt&completed=true&cursor=${nextCursor}`)
  assert.deepEqual(body, { data: [], pagination: { nextCursor: null } })
})
