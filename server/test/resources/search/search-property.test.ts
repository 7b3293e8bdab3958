import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '../../support/rounds.ts'
import { type Api, created, sharedServer, type World } from '../../support/world.ts'
import { isFound } from './search-model.ts'

const { newWorld } = await sharedServer()

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>

/** Numbers from 0 to 1, the same for the same seed. @see Marsaglia, Xorshift RNGs (2003) */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const pick = <One>(all: readonly One[]): One => all[below(all.length)] ?? assert.fail('nothing to pick from')
  return { next, below, pick }
}

const words = ['fence', 'Fencing', 'Café', 'door', 'STRASSE', 'straße', 'ﬁnd', 'red', 'read', 'x', '東京', 'post']

const textFrom = ({ pick, below }: ReturnType<typeof randomFrom>) =>
  Array.from({ length: 1 + below(5) }, () => pick(words)).join(pick([' ', ' ', '-', ', ']))

function queryFrom(random: ReturnType<typeof randomFrom>): string {
  const { pick, below, next } = random
  const positive = () =>
    pick([() => pick(words), () => `"${pick(words)} ${pick(words)}"`, () => `${pick(words).slice(0, 1 + below(4))}*`])()
  const alternative = () => {
    const terms = Array.from({ length: 1 + below(2) }, positive)
    if (next() < 0.3) terms.push(`-${next() < 0.5 ? pick(words) : `"${pick(words)} ${pick(words)}"`}`)
    return terms.join(' ')
  }
  return next() < 0.25 ? `${alternative()} or ${alternative()}` : alternative()
}

/** All items of a list that the caller sees. */
async function listed({ get }: Api, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor = ''; ; ) {
    const { body, text } = await get(`${path}?limit=100${cursor}`)
    assert.ok(body.data, text)
    items.push(...body.data)
    if (!body.pagination?.nextCursor) return items
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

/** The texts that things are found by, by kind, of all that the caller can list; newest first. */
async function all(api: Api) {
  const of = async (path: string, texts: (item: Item) => (string | null)[]) =>
    (await listed(api, path))
      .map((item) => ({ id: item.id as string, projectId: (item.projectId ?? item.id) as string, texts: texts(item) }))
      .sort((one, other) => (one.id < other.id ? 1 : -1))
  return {
    task: await of('/tasks', ({ name, description }) => [name, description]),
    project: await of('/projects', ({ name, key, description }) => [name, description, key]),
    subtask: await of('/subtasks', ({ name }) => [name]),
    comment: await of('/comments', ({ body }) => [body]),
    time_entry: await of('/time-entries', ({ description }) => [description]),
  }
}

/** The ids of what a search finds, by kind, page by page. */
async function found(api: Api, q: string, more: string, limit: number): Promise<Record<string, string[]>> {
  const { status, body, text } = await api.get(`/search?q=${encodeURIComponent(q)}&limit=${limit}${more}`)
  assert.equal(status, 200, `${q}: ${text}`)
  const ids: Record<string, string[]> = {}
  for (let { kind, hits, nextCursor } of body.groups) {
    ids[kind] = hits.map(({ id }: Item) => id)
    while (nextCursor !== null) {
      assert.equal(hits.length, limit)
      const next = await api.get(
        `/search?q=${encodeURIComponent(q)}&limit=${limit}${more}&kinds=${kind}&cursor=${nextCursor}`,
      )
      ;[{ hits, nextCursor }] = next.body.groups
      ids[kind]?.push(...hits.map(({ id }: Item) => id))
    }
  }
  return ids
}

test('after any writes, updates, moves, deletions and restores, a search finds what can be listed and matches', async () => {
  for (const seed of [20_261_122, 7].slice(0, rounds(1, 2))) {
    const random = randomFrom(seed)
    const world = await newWorld()
    const { owner, admin, member } = world
    const made: { path: string; text: string }[] = []
    for (let i = 0; i < 4; i++) await makeProject(world, random, made, i < 2)
    for (let round = 0; round < rounds(2, 5); round++) {
      for (let i = 0; i < 20; i++) await change(world, random, made)
      for (const api of [owner, member, admin]) {
        const things = await all(api)
        const projects = things.project.map(({ id }) => id)
        for (let i = 0; i < 6; i++) {
          const q = queryFrom(random)
          const within = random.next() < 0.3 && projects.length > 0 ? [random.pick(projects)] : []
          const expected = Object.entries(things).flatMap(([kind, all]) => {
            const matching = all.filter(
              ({ projectId, texts }) => (within.length === 0 || within.includes(projectId)) && isFound(texts, q),
            )
            return matching.length > 0 ? [[kind, matching.map(({ id }) => id)]] : []
          })
          const more = within.length > 0 ? `&projectId=${within}` : ''
          const ids = await found(api, q, more, 1 + random.below(20))
          assert.deepEqual(ids, Object.fromEntries(expected), `${q}${more} in round ${round} of ${seed}`)
        }
      }
    }
  }
})

type Made = { path: string; text: string }[]

async function makeProject(world: World, random: ReturnType<typeof randomFrom>, made: Made, isSeen: boolean) {
  const { owner, member } = world
  const { id } = await world.project({ name: textFrom(random), description: textFrom(random) })
  made.push({ path: `/projects/${id}`, text: 'description' })
  if (isSeen) await world.addToProject(id, member)
  for (let i = 0; i < 3; i++) {
    const task = await world.task({ projectId: id, name: textFrom(random), description: textFrom(random) })
    made.push({ path: `/tasks/${task.id}`, text: 'description' })
    const step = await world.subtask(task.id, { name: textFrom(random) })
    made.push({ path: `/subtasks/${step.id}`, text: 'name' })
    const said = await created(owner.post(`/tasks/${task.id}/comments`, { body: textFrom(random) }))
    made.push({ path: `/comments/${said.id}`, text: 'body' })
    for (const on of [{ taskId: task.id }, { subtaskId: step.id }]) {
      const entry = await world.timeEntry({ ...on, ...(random.next() < 0.7 ? { description: textFrom(random) } : {}) })
      made.push({ path: `/time-entries/${entry.id}`, text: 'description' })
    }
  }
}

/** Some write; it may be refused. */
async function change({ owner, task }: World, random: ReturnType<typeof randomFrom>, made: Made) {
  const { path, text } = random.pick(made)
  const kind = random.next()
  if (kind < 0.5) await owner.patch(path, { [text]: textFrom(random) })
  else if (kind < 0.65) await owner.delete(path)
  else if (kind < 0.85) await owner.post(`${path}/restore`)
  else {
    const tasks = made.filter(({ path }) => path.startsWith('/tasks/'))
    const entries = made.filter(({ path }) => path.startsWith('/time-entries/'))
    const taskId = random.pick(tasks).path.slice('/tasks/'.length)
    await owner.patch(random.pick(entries).path, { taskId })
    const { body } = await owner.get(`/tasks/${taskId}`)
    if (body.projectId)
      made.push({
        path: `/tasks/${(await task({ projectId: body.projectId, name: textFrom(random) })).id}`,
        text: 'description',
      })
  }
}
