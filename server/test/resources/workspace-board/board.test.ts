import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, invalidFields } from '../../support/envelope.ts'
import { type Api, created, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>

const boardOf = async (api: Api, id: string, query = ''): Promise<Item> => {
  const { status, body, text } = await api.get(`/workspaces/${id}/board?${query}`)
  assert.equal(status, 200, text)
  return body
}

/** What stands in each stage. */
const namesIn = ({ stages }: Item): string[][] => stages.map(({ tasks }: Item) => tasks.map(({ name }: Item) => name))
const countsIn = ({ stages }: Item): number[] => stages.map(({ taskCount }: Item) => taskCount)

/** A board of a project with three stages, and how a task comes into one of them. */
async function boardOfProject() {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const workspace = await world.workspace({ projectId, stages: ['To do', 'Doing', 'Done'] })
  const stages = await world.stages(workspace.id)
  const put = (stage: number, name: string, fields: object = {}) =>
    world.task({ projectId, workspaceId: workspace.id, stageId: stages[stage].id, name, ...fields })
  return { ...world, projectId, workspace, stages, put }
}

const brief = ['id', 'key', 'name', 'typeId', 'priority', 'assigneeIds', 'tagIds', 'dueDate']

test('a board is its workspace and its stages in order, each with its count and its cards from top to bottom', async () => {
  const { owner, workspace, stages, put } = await boardOfProject()
  const [a, b, c] = [
    await put(0, 'a'),
    await put(0, 'b'),
    await put(2, 'c', { priority: 'high', dueDate: '2026-05-01' }),
  ]
  await owner.post(`/tasks/${b.id}/move`, { beforeId: a.id })
  const board = await boardOf(owner, workspace.id)
  assert.deepEqual(Object.keys(board), ['workspace', 'stages'])
  assert.deepEqual(board.workspace, (await owner.get(`/workspaces/${workspace.id}`)).body)
  assert.deepEqual(
    board.stages.map(({ taskCount, tasks, nextCursor, ...stage }: Item) => stage),
    stages,
  )
  assert.deepEqual(namesIn(board), [['b', 'a'], [], ['c']])
  assert.deepEqual(countsIn(board), [2, 0, 1])
  const [shown] = board.stages[2].tasks
  assert.deepEqual(shown, Object.fromEntries(brief.map((field) => [field, c[field]])))
})

test('a workspace without stages is a board without stages', async () => {
  const { owner, workspace } = await newWorld()
  const empty = await workspace({ stages: [] })
  assert.deepEqual(await boardOf(owner, empty.id), { workspace: empty, stages: [] })
})

test('nextCursor continues its stage where the cards end, and is null when nothing follows', async () => {
  const { owner, workspace, stages, put } = await boardOfProject()
  for (let n = 1; n <= 5; n++) await put(0, `first ${n}`)
  for (let n = 1; n <= 2; n++) await put(1, `second ${n}`)
  for (const perStage of [0, 1, 2, 4, 5]) {
    const board = await boardOf(owner, workspace.id, `perStage=${perStage}`)
    assert.deepEqual(countsIn(board), [5, 2, 0])
    for (const [i, { tasks, nextCursor }] of board.stages.entries()) {
      const all = (await owner.get(`/tasks?stageId=${stages[i].id}&sort=position`)).body.data
      const rest = nextCursor
        ? (await owner.get(`/tasks?stageId=${stages[i].id}&sort=position&cursor=${nextCursor}`)).body.data
        : []
      assert.equal(nextCursor === null, tasks.length === all.length)
      assert.deepEqual(
        [...tasks, ...rest].map(({ id }: Item) => id),
        all.map(({ id }: Item) => id),
      )
    }
  }
})

/** A board of the whole organization with tasks of three projects, of which the member sees two and one is deleted. */
async function sharedBoard() {
  const world = await newWorld()
  const { owner, member, project, task, addToProject, tag, taskType } = world
  const workspace = await world.workspace({ stages: ['To do', 'Doing', 'Done'] })
  const stages = await world.stages(workspace.id)
  await owner.patch(`/stages/${stages[2].id}`, { category: 'done' })
  const [seen, alsoSeen, hidden, gone] = [await project(), await project(), await project(), await project()]
  for (const { id } of [seen, alsoSeen, gone]) await addToProject(id, member)
  const [{ id: tagId }, { id: typeId }] = [await tag(), await taskType()]
  const looks = [
    {},
    { priority: 'high', tagIds: [tagId] },
    { assigneeIds: [member.memberId], dueDate: '2026-03-01' },
    { typeId },
  ]
  for (let n = 0; n < 48; n++) {
    const { id: projectId } = [seen, alsoSeen, hidden, gone][n % 4] ?? seen
    const place = { projectId, workspaceId: workspace.id, stageId: stages[(n * 7) % 3].id }
    await task({ ...place, name: `Task ${n}`, ...looks[n % 5] })
  }
  await owner.delete(`/projects/${gone.id}`)
  const filters = [
    '',
    'priority=high',
    `tagId=${tagId}`,
    'assigneeId=me',
    `assigneeId=${member.memberId}`,
    'assigneeId=none',
    `typeId=${typeId}&priority=none`,
    `projectId=${alsoSeen.id}`,
    `projectId=${hidden.id}`,
    `projectId=${hidden.id},${seen.id},${gone.id}`,
    `projectId=${hidden.id},${seen.id}&priority=none,high`,
    'dueDate=none&assigneeId=none,me',
    'dueBefore=2026-03-02',
    'completed=true',
    'completed=false&priority=high',
    'q=task',
    'q=task&priority=high',
  ]
  return { ...world, workspace, stages, seen, alsoSeen, hidden, filters }
}

/** A board as the list of tasks tells it. */
async function asListed(api: Api, stages: Item[], filter: string, perStage: number) {
  const each = stages.map(async ({ id }) => {
    const { body } = await api.get(`/tasks?stageId=${id}&sort=position&limit=100&${filter}`)
    return { taskCount: body.data.length, ids: body.data.slice(0, perStage).map(({ id }: Item) => id) }
  })
  return Promise.all(each)
}

const inEach = (board: Item) =>
  board.stages.map(({ taskCount, tasks }: Item) => ({ taskCount, ids: tasks.map(({ id }: Item) => id) }))

test('for every caller and filter, counts and cards match what the list of tasks shows in order of position', async () => {
  const { owner, member, join, workspace, stages, filters } = await sharedBoard()
  const nobody = await join('Nina Nowhere', 'member')
  for (const api of [owner, member, nobody])
    for (const [i, filter] of filters.entries()) {
      const perStage = [3, 0, 100][i % 3] ?? 3
      const board = await boardOf(api, workspace.id, `perStage=${perStage}&${filter}`)
      assert.deepEqual(inEach(board), await asListed(api, stages, filter, perStage), filter)
    }
  const counts = async (api: Api) => countsIn(await boardOf(api, workspace.id))
  assert.deepEqual(
    [await counts(owner), await counts(member), await counts(nobody)],
    [
      [12, 12, 12],
      [8, 8, 8],
      [0, 0, 0],
    ],
  )
})

test('counts and cards on a board of a project also match the list of tasks, for its members and for owners', async () => {
  const { owner, member, addToProject, projectId, workspace, stages, put } = await boardOfProject()
  await addToProject(projectId, member, 'viewer')
  for (let n = 0; n < 12; n++) await put(n % 2, `Task ${n}`, n % 3 === 0 ? { priority: 'high' } : {})
  for (const api of [owner, member])
    for (const filter of ['', 'priority=high', `projectId=${projectId}`, 'q=task', 'assigneeId=me'])
      assert.deepEqual(
        inEach(await boardOf(api, workspace.id, `perStage=2&${filter}`)),
        await asListed(api, stages, filter, 2),
        filter,
      )
})

test('with filters nextCursor continues among the matching tasks', async () => {
  const { owner, member, workspace, stages } = await sharedBoard()
  for (const api of [owner, member]) {
    const { stages: shown } = await boardOf(api, workspace.id, 'perStage=1&priority=high')
    for (const [i, { tasks, nextCursor }] of shown.entries()) {
      const path = `/tasks?stageId=${stages[i].id}&sort=position&priority=high`
      const rest = nextCursor ? (await api.get(`${path}&cursor=${nextCursor}`)).body.data : []
      assert.deepEqual(
        [...tasks, ...rest].map(({ id }: Item) => id),
        (await api.get(path)).body.data.map(({ id }: Item) => id),
      )
    }
  }
})

test('stageId and stageCategory choose stages, and stages of other boards match none', async () => {
  const { owner, workspace: board, stages } = await sharedBoard()
  const other = await created(owner.post('/workspaces', { name: 'Other', stages: ['To do'] }))
  const [foreign] = (await owner.get(`/workspaces/${other.id}/stages`)).body.data
  const idsOf = async (query: string) => (await boardOf(owner, board.id, query)).stages.map(({ id }: Item) => id)
  assert.deepEqual(await idsOf(`stageId=${stages[1].id}`), [stages[1].id])
  assert.deepEqual(await idsOf('stageCategory=done'), [stages[2].id])
  assert.deepEqual(await idsOf(`stageId=${stages[2].id},${foreign.id},${stages[0].id},none`), [
    stages[0].id,
    stages[2].id,
  ])
  assert.deepEqual(await idsOf(`stageId=${foreign.id}`), [])
  assert.deepEqual(await idsOf('stageId=none'), [])
  assert.deepEqual(await idsOf(`stageId=${stages[1].id}&stageCategory=done`), [])
})

test('a caller who does not see a workspace gets 404, as for one that never existed, with any parameters', async () => {
  const { owner, member, workspace } = await boardOfProject()
  const elsewhere = await newWorld()
  const never = await owner.get('/workspaces/0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f/board')
  assertRefused(never, 404, 'not_found')
  for (const api of [member, elsewhere.owner])
    for (const query of ['', '?q=a', '?priority=high&perStage=0'])
      assert.equal((await api.get(`/workspaces/${workspace.id}/board${query}`)).text, never.text)
  await owner.delete(`/workspaces/${workspace.id}`)
  assertRefused(await owner.get(`/workspaces/${workspace.id}/board`), 404)
})

test('the board of an archived project can be read as it is; that of a deleted project gets 404', async () => {
  const { owner, projectId, workspace, put } = await boardOfProject()
  await put(0, 'kept')
  await owner.post(`/projects/${projectId}/archive`)
  assert.deepEqual(countsIn(await boardOf(owner, workspace.id)), [1, 0, 0])
  await owner.delete(`/projects/${projectId}`)
  assertRefused(await owner.get(`/workspaces/${workspace.id}/board`), 404)
})

test('a deleted stage is on no board, and its tasks are where they were moved', async () => {
  const { owner, workspace, stages, put } = await boardOfProject()
  await put(0, 'a')
  await put(1, 'b')
  await owner.delete(`/stages/${stages[1].id}?moveTasksTo=${stages[0].id}`)
  assert.deepEqual(namesIn(await boardOf(owner, workspace.id)), [['a', 'b'], []])
})

test('a full stage shows its limit and as many tasks; deleted tasks are not counted', async () => {
  const { owner, workspace, stages, put } = await boardOfProject()
  await owner.patch(`/stages/${stages[0].id}`, { wipLimit: 2 })
  const [first] = [await put(0, 'a'), await put(0, 'b')]
  const [full] = (await boardOf(owner, workspace.id)).stages
  assert.deepEqual([full.wipLimit, full.taskCount], [2, 2])
  await owner.delete(`/tasks/${first.id}`)
  assert.deepEqual(countsIn(await boardOf(owner, workspace.id)), [1, 0, 0])
})

test('a board shows one point in time: a task that moves back and forth is in one stage of it, and counted there', async () => {
  const { owner, workspace, stages, put } = await boardOfProject()
  for (let n = 0; n < 3; n++) await put(n, `stays ${n}`)
  const { id } = await put(0, 'moves')
  let moving = true
  const mover = (async () => {
    for (let n = 1; moving; n++) await owner.post(`/tasks/${id}/move`, { stageId: stages[n % 3].id })
  })()
  const boards: Item[] = []
  try {
    for (let n = 0; n < 40; n++) boards.push(await boardOf(owner, workspace.id, n % 2 ? 'priority=none' : ''))
  } finally {
    moving = false
    await mover
  }
  const places = new Set<number>()
  for (const board of boards) {
    const where = namesIn(board).flatMap((names, i) => (names.includes('moves') ? [i] : []))
    assert.equal(where.length, 1)
    assert.deepEqual(
      countsIn(board),
      [0, 1, 2].map((i) => (i === where[0] ? 2 : 1)),
    )
    places.add(where[0] ?? -1)
  }
  assert.ok(places.size > 1, 'it was seen to move')
})

test('the page after a board continues where the board ended, though earlier tasks made room for others meanwhile', async () => {
  const { owner, workspace, stages, put } = await boardOfProject()
  const made: string[] = []
  for (let n = 0; n < 12; n++) made.push((await put(0, `Task ${n}`)).id)
  const [{ nextCursor }] = (await boardOf(owner, workspace.id, 'perStage=4')).stages
  // one and another go behind the first again and again, until there is no room between
  for (let n = 0; n < 30; n++) await owner.post(`/tasks/${made[1 + (n % 2)]}/move`, { afterId: made[0] })
  assert.notDeepEqual((await owner.get('/events?type=order.respaced')).body.data, [])
  const { body } = await owner.get(`/tasks?stageId=${stages[0].id}&sort=position&cursor=${nextCursor}`)
  assert.deepEqual(
    body.data.map(({ id }: Item) => id),
    made.slice(4),
  )
})

test('many stages share the maximum of a board equally: fewer cards with include, the fewest with descriptions', async () => {
  const { owner, task, ...world } = await newWorld()
  const { id: projectId } = await world.project()
  const { id } = await world.workspace({ projectId, stages: Array.from({ length: 50 }, (_, n) => `Stage ${n}`) })
  const [first, second] = await world.stages(id)
  const operations = Array.from({ length: 60 }, (_, n) => ({
    method: 'POST',
    path: '/tasks',
    body: { projectId, workspaceId: id, stageId: n < 30 ? first.id : second.id, name: `Task ${n}` },
  }))
  assert.equal((await owner.post('/bulk', { operations })).status, 200)
  const board = await boardOf(owner, id)
  assert.deepEqual(countsIn(board).slice(0, 3), [30, 30, 0])
  assert.deepEqual(
    namesIn(board).map(({ length }) => length),
    [20, 20, ...Array(48).fill(0)],
  )
  assert.ok(board.stages[0].nextCursor)
  const shares = [
    ['include=tags', 10],
    ['fields=name,description', 2],
    ['fields=name,description&include=tags&perStage=1', 1],
  ] as const
  for (const [query, share] of shares)
    assert.deepEqual(
      namesIn(await boardOf(owner, id, query))
        .slice(0, 3)
        .map(({ length }) => length),
      [share, share, 0],
      query,
    )
  const [chosen] = (await boardOf(owner, id, `stageId=${first.id}`)).stages
  assert.deepEqual([chosen.tasks.length, chosen.nextCursor], [30, null])
})

test('with comments a board shows fewer cards, and no card loses its comments', async () => {
  const { owner, workspace, stages, projectId } = await boardOfProject()
  const operations = Array.from({ length: 100 }, (_, n) => ({
    method: 'POST',
    path: '/tasks',
    body: { projectId, workspaceId: workspace.id, stageId: stages[n < 60 ? 0 : 1].id, name: `Task ${n}` },
  }))
  const { body } = await owner.post('/bulk', { operations })
  const last = body.results.at(-1).body
  await owner.post(`/tasks/${last.id}/move`, { beforeId: body.results[60].body.id })
  await created(owner.post(`/tasks/${last.id}/comments`, { body: 'Said' }))
  const { stages: filled } = await boardOf(owner, workspace.id, 'perStage=100&include=comments')
  assert.deepEqual(
    filled.map(({ tasks }: Item) => tasks.length),
    [33, 33, 0],
  )
  assert.deepEqual(
    filled[1].tasks[0].comments.map((comment: Item) => comment.body),
    ['Said'],
  )
})

test('an invalid parameter of a board gets 422', async () => {
  const { owner, workspace } = await boardOfProject()
  const wrong = { perStage: ['-1', '101', '1.5', 'all', '', '1&perStage=1'], stageId: ['x'], stageCategory: ['ready'] }
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      assert.deepEqual(
        invalidFields(await owner.get(`/workspaces/${workspace.id}/board?${name}=${value}`)),
        [name],
        value,
      )
  for (const name of ['workspaceId', 'id', 'sort', 'limit', 'cursor'])
    assert.deepEqual((await owner.get(`/workspaces/${workspace.id}/board?${name}=1`)).body.details.formErrors, [
      `Unknown parameter: ${name}`,
    ])
})
