import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { detailsOf, invalidFields } from '../support/envelope.ts'
import { type Api, created, sharedServer, type World } from '../support/world.ts'

const { newWorld } = await sharedServer()

const offsetLists: Record<string, (world: World) => Promise<{ id: string }>> = {
  '/projects': ({ project }) => project(),
  '/workspaces': ({ workspace }) => workspace(),
  '/members': ({ owner }) => created(owner.post('/members', { name: 'Nell', email: `${randomUUID()}@example.com` })),
  '/task-types': ({ taskType }) => taskType(),
  '/tags': ({ tag }) => tag(),
}
const allLists = [...Object.keys(offsetLists), '/tasks', '/time-entries']

const idsIn = async (api: Api, path: string): Promise<string[]> =>
  (await api.get(path)).body.data.map(({ id }: { id: string }) => id)

for (const [path, make] of Object.entries(offsetLists)) {
  test(`GET ${path} returns at most limit items in data, and total, the count of all items`, async () => {
    const world = await newWorld()
    const before = (await world.owner.get(path)).body.total
    for (let i = 0; i < 3; i++) await make(world)
    const { status, body } = await world.owner.get(`${path}?limit=2`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['data', 'total'])
    assert.equal(body.data.length, 2)
    assert.equal(body.total, before + 3)
  })

  test(`GET ${path} skips as many items as offset says`, async () => {
    const world = await newWorld()
    for (let i = 0; i < 3; i++) await make(world)
    const all = await idsIn(world.owner, path)
    assert.deepEqual(await idsIn(world.owner, `${path}?limit=2&offset=1`), all.slice(1, 3))
  })

  test(`the total of GET ${path} is the same on a page past the end`, async () => {
    const world = await newWorld()
    await make(world)
    const { total } = (await world.owner.get(path)).body
    for (const offset of [total, 1_000, Number.MAX_SAFE_INTEGER]) {
      const page = await world.owner.get(`${path}?offset=${offset}`)
      assert.deepEqual(page.body, { data: [], total })
    }
  })

  test(`the offset of GET ${path} is a whole number from 0, given once: otherwise 422 in fieldErrors.offset`, async () => {
    const { owner } = await newWorld()
    for (const offset of ['-1', '1.5', 'abc', '', '1e1', '0x1', '+1', '%201', '01', '9007199254740992', '1&offset=1']) {
      assert.deepEqual(invalidFields(await owner.get(`${path}?offset=${offset}`)), ['offset'], offset)
    }
  })

  test(`GET ${path} no longer lists or counts deleted items`, async () => {
    const world = await newWorld()
    const { total } = (await world.owner.get(path)).body
    const { id } = await make(world)
    assert.equal((await world.owner.delete(`${path}/${id}`)).status, 204)
    const page = await world.owner.get(path)
    assert.equal(page.body.total, total)
    assert.ok(page.body.data.every((item: { id: string }) => item.id !== id))
  })
}

for (const path of allLists) {
  test(`the limit of GET ${path} is a whole number from 1 to 100, given once: otherwise 422 in fieldErrors.limit`, async () => {
    const { owner } = await newWorld()
    for (const limit of [1, 100]) assert.equal((await owner.get(`${path}?limit=${limit}`)).status, 200)
    for (const limit of ['0', '101', '-1', '1.5', 'abc', '', '1e1', '%205', '05', '9'.repeat(40), '5&limit=5']) {
      assert.deepEqual(invalidFields(await owner.get(`${path}?limit=${limit}`)), ['limit'], limit)
    }
  })

  test(`GET ${path} refuses an unknown parameter, so that a misspelt filter never lists everything`, async () => {
    const { owner } = await newWorld()
    const details = detailsOf(await owner.get(`${path}?porjectId=${randomUUID()}&limit=0`))
    assert.deepEqual(details.formErrors, ['Unknown parameter: porjectId'])
    assert.deepEqual(Object.keys(details.fieldErrors), ['limit'])
  })
}

test('an offset list takes no cursor, and a cursor list takes no offset: 422', async () => {
  const { owner } = await newWorld()
  for (const path of Object.keys(offsetLists)) {
    assert.deepEqual(detailsOf(await owner.get(`${path}?cursor=${randomUUID()}`)).formErrors, [
      'Unknown parameter: cursor',
    ])
  }
  for (const path of ['/tasks', '/time-entries']) {
    assert.deepEqual(detailsOf(await owner.get(`${path}?offset=0`)).formErrors, ['Unknown parameter: offset'])
  }
})

test('without a limit a list returns 50 items; with limit=100 it returns 100', async () => {
  const { owner, tag } = await newWorld()
  const names = Array.from({ length: 100 }, (_, n) => ({ method: 'POST', path: '/tags', body: { name: `Tag ${n}` } }))
  assert.equal((await owner.post('/bulk', { operations: names })).status, 200)
  await tag()
  assert.equal((await owner.get('/tags')).body.data.length, 50)
  const { data, total } = (await owner.get('/tags?limit=100')).body
  assert.deepEqual([data.length, total], [100, 101])
})

test('total counts only what the caller sees', async () => {
  const { member, project, workspace, addToProject } = await newWorld()
  const [seen, unseen] = [await project(), await project()]
  await addToProject(seen.id, member, 'viewer')
  await workspace({ projectId: seen.id })
  await workspace({ projectId: unseen.id })
  const shared = await workspace()
  const projects = (await member.get('/projects')).body
  assert.deepEqual([projects.total, projects.data[0].id], [1, seen.id])
  assert.equal((await member.get('/workspaces')).body.total, 2)
  assert.equal((await member.get('/workspaces?offset=99')).body.total, 2)
  assert.ok((await idsIn(member, '/workspaces')).includes(shared.id))
})

test('total counts the items that match the same filters as the page', async () => {
  const { owner, member, project, workspace, addToProject } = await newWorld()
  const [one, other] = [await project(), await project()]
  await addToProject(one.id, member)
  for (const projectId of [one.id, one.id, other.id]) await workspace({ projectId })
  const boards = (await owner.get(`/workspaces?projectId=${one.id}&limit=1`)).body
  assert.deepEqual([boards.data.length, boards.total], [1, 2])
  const projects = (await owner.get(`/projects?memberId=${member.memberId}`)).body
  assert.deepEqual([projects.total, projects.data[0].id], [1, one.id])
})

test('an id in a filter that names nothing the caller sees gives an empty page', async () => {
  const [{ owner, member, project }, other] = [await newWorld(), await newWorld()]
  const unseen = [randomUUID(), (await other.project()).id]
  for (const projectId of unseen) {
    assert.deepEqual((await owner.get(`/workspaces?projectId=${projectId}`)).body, { data: [], total: 0 })
  }
  const hidden = (await project()).id
  for (const projectId of [...unseen, hidden]) {
    for (const path of ['/tasks', '/time-entries']) {
      const { body } = await member.get(`${path}?projectId=${projectId}`)
      assert.deepEqual(body, { data: [], pagination: { nextCursor: null } })
    }
  }
})

test('after an insertion before it, an offset page repeats the last item of the page before', async () => {
  const { owner, tag } = await newWorld()
  for (const name of ['b', 'c', 'd', 'e']) await tag({ name })
  const first = await idsIn(owner, '/tags?limit=2')
  await tag({ name: 'a' })
  const second = await idsIn(owner, '/tags?limit=2&offset=2')
  assert.equal(second[0], first[1])
})

test('the lists below a resource are offset lists', async () => {
  const { owner, project, workspace, task, subtask } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ stages: ['To do', 'Doing', 'Done'] })
  const { id: taskId } = await task({ projectId })
  for (let i = 0; i < 3; i++) await subtask(taskId)
  const nested = [`/workspaces/${workspaceId}/stages`, `/tasks/${taskId}/subtasks`, `/projects/${projectId}/members`]
  for (const path of nested) {
    const { body } = await owner.get(`${path}?limit=1&offset=1`)
    assert.deepEqual(Object.keys(body), ['data', 'total'])
    assert.equal(body.data.length, 1)
    assert.ok(body.total >= 2)
    assert.deepEqual((await owner.get(`${path}?offset=99`)).body, { data: [], total: body.total })
    assert.deepEqual(invalidFields(await owner.get(`${path}?limit=101`)), ['limit'])
  }
})
