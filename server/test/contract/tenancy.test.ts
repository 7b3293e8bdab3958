import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { operator } from '../../src/access/caller.ts'
import { routes } from '../../src/resources/index.ts'
import { assertRefused } from '../support/envelope.ts'
import { fieldsOf, lineOf, startScenes } from '../support/scene.ts'
import type { Api } from '../support/world.ts'

const { newWorld, scene } = await startScenes()
const { ask, world, elsewhere, foreign } = await scene()

test('a resource of a different organization gets 404, never 403, with the same bytes as one that never existed', async () => {
  const { id: projectId } = await elsewhere.project({ key: 'ONLYHERE' })
  await elsewhere.task({ projectId })
  // by its id, and by a key that no other organization has
  const byKey = { ...foreign, projects: 'ONLYHERE', tasks: 'ONLYHERE-1', members: elsewhere.owner.memberId }
  // those of the operator open with no key of an organization, whatever they name
  const named = routes.filter(({ ids, roles }) => ids.length > 0 && roles !== operator)
  const theirs = async () => {
    const reads = named.filter(({ method }) => method === 'GET')
    return Promise.all(reads.map(async (route) => (await ask(elsewhere.owner, route, { things: foreign })).text))
  }
  const before = await theirs()
  const never = await world.owner.get(`/tasks/${randomUUID()}`)
  assertRefused(never, 404, 'not_found')
  for (const route of named) {
    // not even the member whose role would not do gets a 403
    for (const api of [world.owner, world.member]) {
      for (const things of [foreign, byKey]) {
        const reply = await ask(api, route, { things })
        assertRefused(reply, 404, 'not_found')
        assert.equal(reply.text, never.text, lineOf(route))
      }
    }
  }
  for (const path of ['/projects/ONLYHERE', '/tasks/ONLYHERE-1'])
    assert.equal((await elsewhere.owner.get(path)).status, 200)
  assert.deepEqual(await theirs(), before)
})

test('a key that two organizations use leads each to its own project and task, for every operation', async () => {
  const worlds = [await newWorld(), await newWorld()]
  const made: { owner: Api; id: string; taskId: string }[] = []
  for (const { owner, project, task } of worlds) {
    const { id } = await project({ key: 'WEB' })
    made.push({ owner, id, taskId: (await task({ projectId: id })).id })
  }
  const read = async (owner: Api, path: string) => (await owner.get(path)).body
  for (const { owner, id, taskId } of made) {
    assert.equal((await read(owner, '/projects/WEB')).id, id)
    assert.equal((await read(owner, '/tasks/WEB-1')).id, taskId)
    const members = (await read(owner, '/projects/WEB/members')).data
    assert.ok(members.length > 0 && members.every(({ projectId }: { projectId: string }) => projectId === id))
  }
  const [one, other] = made as [(typeof made)[0], (typeof made)[0]]
  const before = await read(other.owner, `/projects/${other.id}`)
  assert.equal((await one.owner.patch('/projects/WEB', { name: 'Ours alone' })).body.id, one.id)
  assert.equal((await one.owner.post('/projects/WEB/archive')).body.id, one.id)
  assert.equal((await one.owner.delete('/projects/WEB')).status, 204)
  assert.deepEqual(await read(other.owner, '/projects/WEB'), before)
  assertRefused(await one.owner.get('/projects/WEB'), 404)
  assert.equal((await one.owner.post('/projects/WEB/restore')).body.id, one.id)
  assert.deepEqual(await read(other.owner, '/projects/WEB'), before)
})

test('a malformed id in a path gets 404', async () => {
  const { owner } = await newWorld()
  for (const id of [
    '',
    '1',
    'abc',
    `${randomUUID()}0`,
    '%00',
    '%F0%9F%98%80',
    '..%2Ftags',
    "'",
    '%zz',
    'x'.repeat(600),
  ]) {
    for (const path of [`/tags/${id}`, `/tasks/${id}/subtasks`, `/projects/${id}/members/${id}`]) {
      const reply = await owner.get(path)
      assertRefused(reply, 404)
      assert.equal(reply.text, '{"error":"Not found"}')
    }
  }
})

test('an id in a path can be in upper case too', async () => {
  const { owner, tag } = await newWorld()
  const made = await tag()
  assert.deepEqual((await owner.get(`/tags/${made.id.toUpperCase()}`)).body, made)
})

test('lists hold nothing of a different organization', async () => {
  const lists = routes.filter(({ method, path, query }) => {
    return method === 'GET' && !path.includes('{') && fieldsOf(query).some(([name]) => name === 'limit')
  })
  assert.ok(lists.length >= 8)
  for (const { owner, tag } of [world, elsewhere]) await owner.delete(`/tags/${(await tag()).id}`)
  for (const route of lists) {
    const [own, theirs] = [await ask(world.owner, route), await ask(elsewhere.owner, route)].map(({ body }) => {
      const items = body.data ?? body.groups.flatMap(({ hits }: { hits: object[] }) => hits)
      return items.map(({ id }: { id: string }) => id)
    })
    assert.ok(theirs.length > 0, `Nothing in samples.ts is in ${lineOf(route)}`)
    assert.ok(
      theirs.every((id: string) => !own.includes(id)),
      lineOf(route),
    )
  }
})

test('a visible stage of another workspace gets 400, a stage that the caller does not see gets 404', async () => {
  const { member, project, workspace, stages, addToProject } = await newWorld()
  const [seen, hidden] = [await project(), await project()]
  await addToProject(seen.id, member)
  const { id: workspaceId } = await workspace({ projectId: seen.id })
  const [[visible], [invisible]] = [
    await stages((await workspace()).id),
    await stages((await workspace({ projectId: hidden.id })).id),
  ]
  const post = (stageId: string) => member.post('/tasks', { name: 'x', projectId: seen.id, workspaceId, stageId })
  assertRefused(await post(visible.id), 400)
  assertRefused(await post(invisible.id), 404)
})

test('two organizations can use the same names, e-mail addresses and keys', async () => {
  for (const { owner } of [await newWorld(), await newWorld()]) {
    assert.equal((await owner.post('/tags', { name: 'Urgent' })).status, 201)
    assert.equal((await owner.post('/projects', { name: 'Website', key: 'WEB' })).status, 201)
    assert.equal((await owner.post('/members', { name: 'Ann', email: 'ann@example.com' })).status, 201)
  }
})
