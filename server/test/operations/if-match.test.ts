import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/resources/index.ts'
import { asNamed, lineOf, rowsOf, startScenes } from '../support/scene.ts'

const { db, scene } = await startScenes()

test('no write ignores If-Match: if the path names nothing that has an ETag, it gets 412', async () => {
  const { ask, world } = await scene()
  // which the deletion names
  await world.owner.patch('/organization', { name: 'Acme' })
  const before = await rowsOf(db, world)
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    const { status, headers, text } = await ask(world.owner, route, {
      ...asNamed(route),
      headers: { 'if-match': '"0"' },
    })
    assert.deepEqual([status, headers.get('x-error-code')], [412, 'etag_mismatch'], `${lineOf(route)}: ${text}`)
  }
  assert.deepEqual(await rowsOf(db, world), before)
  // a collection is there, whatever its state
  assert.equal((await world.owner.post('/tags', { name: 'Any' }, { 'if-match': '*' })).status, 201)
})

test('a malformed If-Match gets 400 before the Idempotency-Key is used, so the corrected request can use it', async () => {
  const { owner, task, project } = (await scene()).world
  const { id } = await task({ projectId: (await project()).id })
  const keyed = (etag: string) =>
    owner.post(`/tasks/${id}/subtasks`, { name: 'Once' }, { 'idempotency-key': 'mended', 'if-match': etag })
  assert.equal((await keyed('1')).status, 400)
  assert.equal((await keyed('"1"')).status, 201)
})

test('a malformed ifMatch in a bulk gets 422, which names its operation', async () => {
  const { owner, tag } = (await scene()).world
  const { id } = await tag()
  for (const ifMatch of ['1', '', `${id}.1`]) {
    const operations = [{ method: 'DELETE', path: `/tags/${id}`, ifMatch }]
    const { status, body } = await owner.post('/bulk', { operations })
    assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['operations.0.ifMatch']], ifMatch)
  }
})
