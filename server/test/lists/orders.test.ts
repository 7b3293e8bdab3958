import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsOf } from '../support/envelope.ts'
import { type Api, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

interface Item {
  id: string
  name: string
  createdAt: string
  startedAt: string
}

const listed = async (api: Api, path: string): Promise<Item[]> => (await api.get(`${path}?limit=100`)).body.data

const descending = (key: 'createdAt' | 'startedAt') => (a: Item, b: Item) =>
  a[key] === b[key] ? (a.id < b.id ? 1 : -1) : a[key] < b[key] ? 1 : -1

test('/tasks: createdAt descending, then id descending', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const made = await Promise.all(Array.from({ length: 20 }, () => task({ projectId })))
  const tasks = await listed(owner, '/tasks')
  assert.deepEqual(tasks, made.toSorted(descending('createdAt')))
})

test('/time-entries: startedAt descending, then id descending', async () => {
  const { owner, project, task, timeEntry } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const starts = [
    '2026-03-01T08:00:00Z',
    '2026-03-01T08:00:00.001Z',
    '2025-12-31T23:59:59Z',
    '2026-03-01T10:00:00+02:00',
  ]
  const made = []
  for (const startedAt of [...starts, ...starts]) made.push(await timeEntry({ taskId, startedAt }))
  const entries = await listed(owner, '/time-entries')
  assert.deepEqual(entries, made.toSorted(descending('startedAt')))
  const [first, second] = (await owner.get('/time-entries?limit=2')).body.data
  assert.deepEqual([first.id, second.id], [entries[0]?.id, entries[1]?.id])
})

test('/time-entries: pages split entries that started at the same time without losing one', async () => {
  const { owner, project, task, timeEntry } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  for (let i = 0; i < 5; i++) await timeEntry({ taskId, startedAt: '2026-03-01T08:00:00Z' })
  const all = await listed(owner, '/time-entries')
  const read: Item[] = []
  for (let cursor = ''; cursor !== 'null'; ) {
    const { data, pagination } = (await owner.get(`/time-entries?limit=2${cursor}`)).body
    read.push(...data)
    cursor = pagination.nextCursor === null ? 'null' : `&cursor=${pagination.nextCursor}`
  }
  assert.deepEqual(read, all)
})

test('/projects: createdAt descending', async () => {
  const { owner, project } = await newWorld()
  const made = await Promise.all(Array.from({ length: 12 }, () => project()))
  assert.deepEqual(await listed(owner, '/projects'), made.toSorted(descending('createdAt')))
})

const jumbled = ['zebra', 'Éclair', 'apple', 'Zoo', 'eclipse', 'Apfel', 'ärger', 'straße', 'Éclat', 'strata', '10', '9']
const byName = ['10', '9', 'Apfel', 'apple', 'ärger', 'Éclair', 'Éclat', 'eclipse', 'straße', 'strata', 'zebra', 'Zoo']

for (const path of ['/tags', '/workspaces', '/task-types']) {
  test(`${path}: by name, ignoring case and accents`, async () => {
    const { owner } = await newWorld()
    for (const name of jumbled) assert.equal((await owner.post(path, { name })).status, 201)
    const names = (await listed(owner, path)).map(({ name }) => name)
    assert.deepEqual(names, byName)
  })
}

test('/members: name ascending, ignoring case and accents', async () => {
  const { owner } = await newWorld()
  for (const [i, name] of jumbled.entries()) {
    assert.equal((await owner.post('/members', { name, email: `m${i}@example.com` })).status, 201)
  }
  const names = (await listed(owner, '/members')).map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => jumbled.includes(name)),
    byName,
  )
  assert.deepEqual([names[2], names.indexOf('Mia Member') < names.indexOf('Olivia Owner')], ['Adam Admin', true])
})

test('items of the same name come by id, so the order is total', async () => {
  const { owner } = await newWorld()
  for (let i = 0; i < 6; i++) {
    await owner.post('/workspaces', { name: 'Same' })
    await owner.post('/members', { name: 'Same', email: `same${i}@example.com` })
  }
  for (const path of ['/workspaces', '/members']) {
    const ids = (await listed(owner, path)).filter(({ name }) => name === 'Same').map(({ id }) => id)
    assert.equal(ids.length, 6)
    assert.deepEqual(ids, ids.toSorted())
  }
})

test('a renamed item moves to its new place', async () => {
  const { owner, tag } = await newWorld()
  const [first] = [await tag({ name: 'alpha' }), await tag({ name: 'beta' })]
  await owner.patch(`/tags/${first.id}`, { name: 'Öl' })
  const names = (await listed(owner, '/tags')).map(({ name }) => name)
  assert.deepEqual(names, ['beta', 'Öl'])
})

test('offset lists do not take sort, and no list takes order or orderBy: 422', async () => {
  const { owner } = await newWorld()
  for (const path of ['/projects', '/workspaces', '/members', '/task-types', '/tags', '/tasks', '/time-entries']) {
    const sorted = path === '/tasks' || path === '/time-entries'
    for (const parameter of sorted ? ['order', 'orderBy'] : ['sort', 'order', 'orderBy']) {
      const { formErrors } = detailsOf(await owner.get(`${path}?${parameter}=name`))
      assert.deepEqual(formErrors, [`Unknown parameter: ${parameter}`])
    }
  }
})
