import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { altered } from '../support/altered.ts'
import { invalidFields } from '../support/envelope.ts'
import { type Api, sharedServer, type World } from '../support/world.ts'

const { newWorld } = await sharedServer()

interface Entry {
  id: string
}

/** Fills a list with so many items; the newest comes first in it. */
const cursorLists: Record<string, (world: World, count: number) => Promise<Entry[]>> = {
  '/tasks': async (world, count) => {
    const { id: projectId } = await world.project()
    return inBulk(world, '/tasks', count, () => ({ projectId, name: 'A task' }))
  },
  '/subtasks': async (world, count) => {
    const { id: taskId } = await world.task({ projectId: (await world.project()).id })
    return inBulk(world, `/tasks/${taskId}/subtasks`, count, () => ({ name: 'A step' }))
  },
  '/comments': async (world, count) => {
    const { id: taskId } = await world.task({ projectId: (await world.project()).id })
    return inBulk(world, `/tasks/${taskId}/comments`, count, (i) => ({ body: `Remark ${i}` }))
  },
  '/time-entries': async (world, count) => {
    const { id: taskId } = await world.task({ projectId: (await world.project()).id })
    const startedAt = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString()
    return inBulk(world, '/time-entries', count, (i) => ({ taskId, startedAt: startedAt(i), durationSeconds: 60 }))
  },
}

/** Makes items by one request, in their order. */
async function inBulk({ owner }: World, path: string, count: number, bodyOf: (i: number) => object): Promise<Entry[]> {
  if (count === 0) return []
  const operations = Array.from({ length: count }, (_, i) => ({ method: 'POST', path, body: bodyOf(i) }))
  const { status, body, text } = await owner.post('/bulk', { operations })
  assert.equal(status, 200, text)
  return body.results.map((result: { body: Entry }) => result.body)
}

const idsOf = (items: Entry[]) => items.map(({ id }) => id)

/** The ids of a list, page by page, and whatever `between` does while somebody reads it. */
async function readAll(api: Api, path: string, limit: number, between: () => Promise<unknown> = async () => {}) {
  const pages: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body } = await api.get(`${path}?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
    assert.equal(status, 200)
    pages.push(idsOf(body.data))
    cursor = body.pagination.nextCursor
    await between()
  }
  return pages
}

const cursorOf = async (api: Api, path: string, limit = 1): Promise<string> =>
  (await api.get(`${path}?limit=${limit}`)).body.pagination.nextCursor

for (const [path, fill] of Object.entries(cursorLists)) {
  test(`GET ${path} returns data and pagination with nextCursor, and nothing else`, async () => {
    const world = await newWorld()
    await fill(world, 1)
    const { body } = await world.owner.get(path)
    assert.deepEqual(Object.keys(body), ['data', 'pagination'])
    assert.deepEqual(body.pagination, { nextCursor: null })
  })

  for (const [count, pages] of Object.entries({ 0: [0], 1: [1], 2: [2], 3: [3], 4: [3, 1], 6: [3, 3], 7: [3, 3, 1] })) {
    test(`${count} items of GET ${path} at limit 3 come in pages of ${pages}, and the last one has nextCursor null`, async () => {
      const world = await newWorld()
      const made = await fill(world, Number(count))
      const read = await readAll(world.owner, path, 3)
      assert.deepEqual(
        read.map(({ length }) => length),
        pages,
      )
      assert.deepEqual(read.flat(), idsOf(made).reverse())
    })
  }

  test(`GET ${path} returns 50 items without a limit, and a cursor if there is one more`, async () => {
    const world = await newWorld()
    await fill(world, 51)
    const { data, pagination } = (await world.owner.get(path)).body
    assert.equal(data.length, 50)
    assert.equal((await world.owner.get(`${path}?cursor=${pagination.nextCursor}`)).body.data.length, 1)
  })

  test(`a cursor of GET ${path} is a UUID that reveals nothing about its row`, async () => {
    const world = await newWorld()
    const [, last] = await fill(world, 2)
    const cursor = await cursorOf(world.owner, path)
    assert.match(cursor, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    // shorter ones come up by chance
    const parts = (last?.id ?? '').split('-').filter(({ length }) => length >= 8)
    assert.equal(parts.length, 2)
    for (const part of parts) assert.ok(!cursor.includes(part), `${cursor} shows ${part}`)
  })

  test(`a cursor of GET ${path} can be in upper case too`, async () => {
    const world = await newWorld()
    await fill(world, 3)
    const cursor = await cursorOf(world.owner, path)
    const [small, capital] = [cursor, cursor.toUpperCase()].map((sent) => world.owner.get(`${path}?cursor=${sent}`))
    assert.deepEqual((await capital)?.body, (await small)?.body)
  })

  test(`GET ${path} refuses a cursor that no list ever gave: 422 in fieldErrors.cursor`, async () => {
    const { owner } = await newWorld()
    for (const cursor of ['', 'abc', 'null', '1', `${randomUUID()}0`, randomUUID().replaceAll('-', ''), randomUUID()]) {
      assert.deepEqual(invalidFields(await owner.get(`${path}?cursor=${cursor}`)), ['cursor'], cursor)
    }
  })

  test(`GET ${path} refuses a cursor that is given twice: 422 in fieldErrors.cursor`, async () => {
    const world = await newWorld()
    await fill(world, 2)
    const cursor = await cursorOf(world.owner, path)
    assert.deepEqual(invalidFields(await world.owner.get(`${path}?cursor=${cursor}&cursor=${cursor}`)), ['cursor'])
  })

  test(`limit can change between the pages of GET ${path}`, async () => {
    const world = await newWorld()
    const made = idsOf(await fill(world, 4)).reverse()
    const cursor = await cursorOf(world.owner, path)
    const { body } = await world.owner.get(`${path}?limit=2&cursor=${cursor}`)
    assert.deepEqual(idsOf(body.data), made.slice(1, 3))
  })

  test(`GET ${path} returns every row that stays exactly once while others are inserted and deleted`, async () => {
    const world = await newWorld()
    const made = idsOf(await fill(world, 8)).reverse()
    const doomed = made.filter((_, i) => i % 4 === 1)
    let page = 0
    const read = await readAll(world.owner, path, 2, async () => {
      // the row that the cursor stands for goes, and newer ones come
      const last = doomed[page++]
      if (last) assert.equal((await world.owner.delete(`${path}/${last}`)).status, 204)
      await fill(world, 1)
    })
    const stayed = made.filter((id) => !doomed.includes(id))
    const seen = read.flat()
    assert.deepEqual(
      seen.filter((id) => stayed.includes(id)),
      stayed,
    )
    assert.equal(new Set(seen).size, seen.length)
  })

  test(`a cursor of GET ${path} shows nobody anything that they could not see without it`, async () => {
    const world = await newWorld()
    await fill(world, 3)
    const cursor = await cursorOf(world.owner, path)
    const { body } = await world.member.get(`${path}?cursor=${cursor}`)
    assert.deepEqual(body, { data: [], pagination: { nextCursor: null } })
  })

  test(`GET ${path} refuses cursors of another organization and of the other list: 422 in fieldErrors.cursor`, async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    await fill(other, 4)
    for (const fillOther of Object.values(cursorLists)) await fillOther(world, 3)
    const otherPath = path === '/tasks' ? '/time-entries' : '/tasks'
    const foreign = await Promise.all([
      ...[1, 2, 3].map((limit) => cursorOf(other.owner, path, limit)),
      cursorOf(world.owner, otherPath),
    ])
    // noise passes for a position about once in 13,000 times on /time-entries, and then only within the reader's rows
    const replies = await Promise.all(foreign.map((cursor) => world.owner.get(`${path}?cursor=${cursor}`)))
    const refused = replies.filter(({ status }) => status === 422)
    assert.ok(refused.length >= foreign.length - 1)
    for (const reply of refused) assert.deepEqual(invalidFields(reply), ['cursor'])
  })
}

test('a cursor of GET /tasks with one changed digit is refused: 422 in fieldErrors.cursor', async () => {
  const world = await newWorld()
  await cursorLists['/tasks']?.(world, 2)
  const cursor = await cursorOf(world.owner, '/tasks')
  assert.deepEqual(invalidFields(await world.owner.get(`/tasks?cursor=${altered(cursor)}`)), ['cursor'])
})

test('filters can change between pages: the cursor is a position, not a query', async () => {
  const { owner, project, task } = await newWorld()
  const [one, other] = [await project(), await project()]
  const kept = await task({ projectId: one.id })
  await task({ projectId: other.id })
  await task({ projectId: one.id })
  const cursor = await cursorOf(owner, '/tasks')
  const { body } = await owner.get(`/tasks?projectId=${one.id}&cursor=${cursor}`)
  assert.deepEqual(idsOf(body.data), [kept.id])
})

// who sees eight projects or fewer is served from these at once, who sees more by a walk
for (const count of [1, 8, 9]) {
  test(`a member of ${count} of 12 projects gets their tasks and time, newest first, and nothing else`, async () => {
    const world = await newWorld()
    const { owner, join, addToProject } = world
    const projects = await inBulk(world, '/projects', 12, (i) => ({ name: `Project ${i}` }))
    const projectOf = (i: number) => projects[i % 12]?.id
    const tasks = await inBulk(world, '/tasks', 36, (i) => ({ projectId: projectOf(i), name: 'A task' }))
    const entries = await inBulk(world, '/time-entries', 36, (i) => ({
      ...{ taskId: tasks[i]?.id, startedAt: hour(i) },
      durationSeconds: 60,
    }))
    const member = await join('Member of some', 'member')
    for (const { id } of projects.slice(0, count)) await addToProject(id, member)
    const seen = (items: Entry[], from = 0) =>
      idsOf(items.filter((_, i) => i % 12 >= from && i % 12 < count).toReversed())

    assert.deepEqual((await readAll(member, '/tasks', 5)).flat(), seen(tasks))
    assert.deepEqual((await readAll(member, '/time-entries', 5)).flat(), seen(entries))
    assert.deepEqual((await readAll(owner, '/tasks', 5)).flat(), idsOf(tasks.toReversed()))

    await owner.delete(`/projects/${projectOf(0)}`)
    assert.deepEqual((await readAll(member, '/tasks', 5)).flat(), seen(tasks, 1))
    assert.deepEqual((await readAll(member, '/time-entries', 5)).flat(), seen(entries, 1))
  })
}

const hour = (i: number) => new Date(Date.UTC(2026, 0, 1, i)).toISOString()
