import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../server/test/support/world.ts'
import { type ApiError, type Fetch, NotModifiedError, Taskwright } from '../src/index.ts'
import { fakeServer } from './support/fake-server.ts'
import { rejection } from './support/rejection.ts'

const { base, newWorld } = await sharedServer()

interface Item {
  id: string
  name: string
}

/** A client that counts what it sends. */
function counting(apiKey: string) {
  const paths: string[] = []
  const counted: Fetch = (url, init) => {
    paths.push(url.slice(`${base}/api/v1`.length))
    return fetch(url, init)
  }
  return { tw: new Taskwright({ baseUrl: base, apiKey, fetch: counted }), paths }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** So many tags and tasks, in the order of their names. */
async function manyOf(count: number) {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const names = Array.from({ length: count }, (_, n) => `No ${String(n).padStart(4, '0')}`)
  const operations = names.flatMap((name) => [
    { method: 'POST', path: '/tags', body: { name } },
    { method: 'POST', path: '/tasks', body: { name, projectId } },
  ])
  for (let i = 0; i < operations.length; i += 100) {
    const { status, text } = await world.owner.post('/bulk', { operations: operations.slice(i, i + 100) })
    assert.equal(status, 200, text)
  }
  return { ...world, names, ...counting(world.owner.key) }
}

test('iterating a list returns each item once, in order, with the fewest requests, by offset and by cursor', async () => {
  const { tw, paths, names } = await manyOf(230)
  const tags = (await all(tw.pages('/tags'))) as Item[]
  assert.deepEqual(
    tags.map(({ name }) => name),
    names,
  )
  assert.deepEqual(paths.splice(0), ['/tags?limit=100', '/tags?limit=100&offset=100', '/tags?limit=100&offset=200'])
  const tasks = (await all(tw.pages('/tasks'))) as Item[]
  assert.deepEqual(
    tasks.map(({ name }) => name),
    names.toReversed(),
  )
  assert.equal(paths.length, 3)
})

test('awaiting a list returns one page, with one request', async () => {
  const { tw, paths, names } = await manyOf(60)
  const tags = tw.pages('/tags', { offset: 5 })
  assert.deepEqual(paths, [])
  const page = await tags
  assert.equal(await tags, page)
  assert.deepEqual(paths, ['/tags?offset=5'])
  assert.ok('total' in page)
  assert.deepEqual([page.total, page.data.length], [60, 50])
  assert.deepEqual(
    (page.data as Item[]).map(({ name }) => name),
    names.slice(5, 55),
  )
  const { etag } = await tags.withResponse()
  await rejection(tw.pages('/tags', { offset: 5 }, { ifNoneMatch: etag }), NotModifiedError)
})

test('a list is a promise of its page, with all methods of a promise', async () => {
  const { tw } = await manyOf(1)
  const seen: unknown[] = []
  const page = await tw.pages('/tags').finally(() => seen.push('settled'))
  assert.equal(page.data.length, 1)
  assert.equal(await tw.pages('/tags', { limit: -1 }).catch((error) => (error as ApiError).status), 422)
  assert.deepEqual(seen, ['settled'])
})

test('limit is the page size, and offset and filters say where to begin', async () => {
  const { tw, paths, names } = await manyOf(25)
  const sizes = (await all(tw.pages('/tags', { limit: 10, offset: 3 }).eachPage())).map(({ data }) => data.length)
  assert.deepEqual(sizes, [10, 10, 2])
  const found = (await all(tw.pages('/tags?limit=7', { q: 'no 001' }))) as Item[]
  assert.deepEqual(
    found.map(({ name }) => name),
    names.slice(10, 20),
  )
  assert.equal(paths.at(-1), '/tags?limit=7&q=no+001&offset=7')
})

test('a reader that stops early sends no further request', async () => {
  const { tw, paths } = await manyOf(25)
  for await (const item of tw.pages('/tasks', { limit: 10 })) {
    assert.ok(item)
    break
  }
  assert.equal(paths.length, 1)
})

test('an offset list ends at its end, also when it shrinks or grows during the iteration', async () => {
  const { tw, owner, names, paths } = await manyOf(30)
  const seen: string[] = []
  for await (const { id, name } of tw.pages('/tags', { limit: 10 }) as AsyncIterable<Item>) {
    seen.push(name)
    // all that was seen goes, so that what follows moves up
    assert.equal((await owner.delete(`/tags/${id}`)).status, 204)
  }
  assert.deepEqual(seen, [...names.slice(0, 10), ...names.slice(20, 30)])
  assert.deepEqual(paths.splice(0), ['/tags?limit=10', '/tags?limit=10&offset=10'])
  const left = (await all(tw.pages('/tags', { limit: 5 }))) as Item[]
  assert.deepEqual(
    left.map(({ name }) => name),
    names.slice(10, 20),
  )
  assert.equal(paths.splice(0).length, 2)
  const growing: string[] = []
  for await (const { name } of tw.pages('/tags', { limit: 5 }) as AsyncIterable<Item>) {
    growing.push(name)
    if (growing.length === 10) assert.equal((await owner.post('/tags', { name: 'No 9999' })).status, 201)
  }
  assert.equal(growing.length, 10)
})

test('an empty page does not end a cursor list, and its end costs no extra request', async (t) => {
  const page = (data: number[], nextCursor: string | null): [number, object] => [
    200,
    { data, pagination: { nextCursor } },
  ]
  const { base: baseUrl, asked } = await fakeServer(t, page([], 'b'), page([1, 2], 'c'), page([], 'd'), page([3], null))
  const tw = new Taskwright({ baseUrl, apiKey: 'tw_key' })
  assert.deepEqual(await all(tw.pages('/events', { after: 0 }, { ifNoneMatch: '"a"' })), [1, 2, 3])
  assert.deepEqual(
    asked.map(({ path, headers }) => [path.split('?')[1], headers['if-none-match']]),
    [
      ['limit=100&after=0', '"a"'],
      ['limit=100&after=0&cursor=b', undefined],
      ['limit=100&after=0&cursor=c', undefined],
      ['limit=100&after=0&cursor=d', undefined],
    ],
  )
})

test('an aborted iteration ends with the reason', async () => {
  const { tw } = await manyOf(25)
  const controller = new AbortController()
  const walk = async () => {
    for await (const _ of tw.pages('/tasks', { limit: 10 }, { signal: controller.signal }))
      controller.abort(new Error('Enough'))
  }
  assert.equal((await rejection(walk(), Error)).message, 'Enough')
})
