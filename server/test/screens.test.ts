import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { keyOf, seedingOf } from './commands/demo/seeding.ts'
import { sharedServer } from './support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>

const { db, api, base } = await sharedServer()
const made = await seedingOf(db).seeded({ seed: 1, tasks: 2_000, keysFor: ['member'] })
const key = keyOf(made, 'member')
const reader = api(key)
const dayMs = 86_400_000

const [{ body: self }, projects, boards, tasks] = await Promise.all([
  reader.get('/me'),
  everything('/projects?'),
  everything('/workspaces?'),
  everything('/tasks?include=subtasks&'),
])
const me: Item = self.member
const isOpen = ({ completedAt }: Item) => completedAt === null

/** All of a list, whatever it takes. */
async function everything(list: string): Promise<Item[]> {
  const items: Item[] = []
  for (let from = ''; ; ) {
    const { body } = await reader.get(`${list}limit=100${from}`)
    items.push(...body.data)
    const next = body.pagination?.nextCursor
    if (body.pagination ? next === null : items.length >= body.total) return items
    from = body.pagination ? `&cursor=${next}` : `&offset=${items.length}`
  }
}

type Ask = (path: string) => Promise<Item>

/** The client, which counts what it asks and what it gets, and tells it at the end. */
function counting(t: TestContext) {
  const spent = { calls: 0, bytes: 0 }
  t.after(() => t.diagnostic(`calls: ${spent.calls}, bytes: ${spent.bytes}`))
  const ask: Ask = async (path) => {
    const { status, text, body } = await reader.get(path)
    assert.equal(status, 200, `${path}: ${text}`)
    spent.calls += 1
    spent.bytes += Buffer.byteLength(text)
    return body
  }
  return { spent, ask }
}

const onBoard = ({ id }: Item) => tasks.filter(({ workspaceId }) => workspaceId === id)
const fullest = boards.toSorted((one, other) => onBoard(other).length - onBoard(one).length)[0] ?? assert.fail()
const card = 'fields=id,key,name,priority,dueDate,assigneeIds'
const fieldsOfCard = card.split('=')[1]?.split(',') ?? []
const inOrder = (cards: readonly Item[]) => cards.toSorted((one, other) => one.position - other.position)
const asCard = (task: Item) => Object.fromEntries(fieldsOfCard.map((name) => [name, task[name]]))

/** What the board shows, as a client makes it that reads everything. */
async function columns(most = Number.POSITIVE_INFINITY) {
  const stages = (await reader.get(`/workspaces/${fullest.id}/stages?limit=100`)).body.data
  return stages.map(({ id }: Item) => {
    const held = inOrder(onBoard(fullest).filter(({ stageId }) => stageId === id))
    return { id, taskCount: held.length, cards: held.slice(0, most).map(asCard) }
  })
}

/** The board with all of its cards. */
async function wholeBoard(ask: Ask): Promise<Item> {
  const board = await ask(`/workspaces/${fullest.id}/board?perStage=100&${card}`)
  for (const stage of board.stages) {
    for (let cursor = stage.nextCursor; cursor !== null; ) {
      const rest = `/tasks?stageId=${stage.id}&sort=position&limit=100&${card}&cursor=${cursor}`
      const { data, pagination } = await ask(rest)
      stage.tasks.push(...data)
      cursor = pagination.nextCursor
    }
  }
  return board
}

test('the first view of a board, 50 cards a stage with the count of each, is one call of at most 60 kB', async (t) => {
  assert.ok(onBoard(fullest).length > 300, `${onBoard(fullest).length} cards`)
  const { spent, ask } = counting(t)
  const { workspace, stages } = await ask(`/workspaces/${fullest.id}/board?perStage=50`)
  assert.equal(workspace.id, fullest.id)
  const shown = stages.map(({ id, taskCount, tasks }: Item) => ({ id, taskCount, cards: tasks.map(asCard) }))
  assert.deepEqual(shown, await columns(50))
  assert.equal(spent.calls, 1)
  assert.ok(spent.bytes <= 60_000, `${spent.bytes} bytes`)
})

test('a whole board of more than 300 cards, each stage read to its end, is at most 120 kB', async (t) => {
  const { spent, ask } = counting(t)
  const { stages } = await wholeBoard(ask)
  assert.deepEqual(
    stages.map(({ id, taskCount, tasks }: Item) => ({ id, taskCount, cards: tasks })),
    await columns(),
  )
  assert.ok(spent.bytes <= 120_000, `${spent.bytes} bytes`)
})

test('such a board, all pages together, is at most 30 kB on the wire, for a client that accepts gzip', async (t) => {
  const { ask } = counting(t)
  const paths: string[] = []
  await wholeBoard((path) => {
    paths.push(path)
    return ask(path)
  })
  const answers = await Promise.all(paths.map(onTheWire))
  const bytes = sum(answers, (answer) => answer.bytes)
  t.diagnostic(`${bytes} bytes`)
  for (const answer of answers) assert.deepEqual([answer.status, answer.encoding], [200, 'gzip'])
  assert.ok(bytes <= 30_000, `${bytes} bytes`)
})

test('my open work by due date is on the first page', async (t) => {
  const { spent, ask } = counting(t)
  const { data } = await ask('/tasks?assigneeId=me&completed=false&sort=dueDate&limit=10')
  const mine = tasks.filter((task) => isOpen(task) && task.assigneeIds.includes(me.id))
  const dated = mine.toSorted(
    (one, other) => compare(one.dueDate ?? '~', other.dueDate ?? '~') || compare(one.id, other.id),
  )
  assert.ok(mine.length > 10 && mine.some(({ dueDate }) => dueDate === null))
  assert.deepEqual(idsOf(data), idsOf(dated.slice(0, 10)))
  assert.equal(spent.calls, 1)
})

test('the subtasks assigned to me are one call', async (t) => {
  const { spent, ask } = counting(t)
  const { data } = await ask('/subtasks?assigneeId=me&finalized=false&include=task')
  const mine = tasks
    .filter(isOpen)
    .flatMap(({ subtasks }) => subtasks)
    .filter(({ assigneeId, finalizedAt }: Item) => assigneeId === me.id && finalizedAt === null)
  const open = data.filter(({ task }: Item) => isOpen(task))
  assert.deepEqual(idsOf(open).sort(), idsOf(mine).sort())
  assert.ok(mine.length > 0)
  assert.equal(spent.calls, 1)
})

test('my week, with the names of what I worked on, is one call', async (t) => {
  const { spent, ask } = counting(t)
  const since = new Date(Date.now() - 7 * dayMs).toISOString()
  const week = `memberId=me&startedAfter=${since}`
  const { data, pagination } = await ask(`/time-entries?${week}&include=task,project&limit=100`)
  assert.equal(pagination.nextCursor, null)
  assert.ok(data.length > 10)
  for (const { taskId, subtaskId, projectId, task, project } of data) {
    const on = tasks.find(({ id, subtasks }) => (taskId ? id === taskId : idsOf(subtasks).includes(subtaskId)))
    assert.deepEqual([task.id, task.name], [on?.id, on?.name])
    assert.equal(project.name, projects.find(({ id }) => id === projectId)?.name)
  }
  assert.equal(spent.calls, 1)
})

test('the progress of each project is one call of less than 10 kB', async (t) => {
  const { spent, ask } = counting(t)
  const { data } = await ask('/projects?include=progress')
  assert.ok(projects.length > 3, `${projects.length} projects`)
  for (const { id, progress } of data) {
    const own = tasks.filter(({ projectId }) => projectId === id)
    assert.equal(progress.done, own.filter((task) => !isOpen(task)).length)
    assert.equal(
      progress.estimatedSeconds,
      sum(own, ({ estimateSeconds }) => estimateSeconds ?? 0),
    )
  }
  assert.equal(spent.calls, 1)
  assert.ok(spent.bytes < 10_000, `${spent.bytes} bytes`)
})

test('the workload of each member is one call', async (t) => {
  const { spent, ask } = counting(t)
  const { data } = await ask('/reports/tasks?groupBy=assignee&completed=false')
  const open = tasks.filter(isOpen)
  for (const { group, open: count, estimatedSeconds } of data) {
    const { id } = group.assignee
    const own = open.filter(({ assigneeIds }) => (id === null ? assigneeIds.length === 0 : assigneeIds.includes(id)))
    assert.equal(count, own.length)
    assert.equal(
      estimatedSeconds,
      sum(own, (task) => task.estimateSeconds ?? 0),
    )
  }
  assert.ok(data.length > 3)
  assert.equal(spent.calls, 1)
})

test('a task with everything about it is two calls: the task with its parts, and its history', async (t) => {
  const { spent, ask } = counting(t)
  const { key: named, id } =
    tasks.find(({ assigneeIds, tagIds, subtasks }) => assigneeIds.length * tagIds.length * subtasks.length > 0) ??
    assert.fail()
  const task = await ask(
    `/tasks/${named}?include=project,workspace,stage,type,creator,assignees,tags,subtasks,trackedSeconds`,
  )
  assert.equal(task.id, id)
  assert.deepEqual(idsOf(task.assignees).sort(), task.assigneeIds)
  assert.equal(task.project.id, task.projectId)
  assert.ok((await ask(`/tasks/${named}/comments?include=author`)).total >= 0)
  assert.equal(spent.calls, 2)
})

test('a check whether anything changed is one call of some hundred bytes', async (t) => {
  const { spent, ask } = counting(t)
  const { latest } = await ask('/events/head')
  assert.ok(latest > 0)
  assert.ok(spent.bytes < 200)
})

const idsOf = (items: readonly Item[]): string[] => items.map(({ id }) => id)
const sum = (items: readonly Item[], of: (item: Item) => number) => items.reduce((all, item) => all + of(item), 0)
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** How many bytes of a body come over the wire to a client that takes gzip. */
async function onTheWire(path: string) {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${base}/api/v1${path}`, { headers }, resolve).once('error', reject)
  })
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  return { status: answer.statusCode, encoding: answer.headers['content-encoding'], bytes }
}
