import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/resources/index.ts'
import { lineOf, rowsOf, startScenes } from '../support/scene.ts'

const { db, scene } = await startScenes()

const edits = routes.filter(({ method }) => method === 'PATCH')

test('an update without fields returns the resource as it is: no new version, no event, nothing written', async () => {
  const { ask, world } = await scene()
  const before = await rowsOf(db, world)
  assert.ok(edits.length >= 10)
  for (const route of edits) {
    const read = routes.find(({ method, path }) => method === 'GET' && path === route.path) ?? assert.fail(route.path)
    const { text, headers } = await ask(world.owner, read)
    for (const body of [{}, undefined]) {
      const edit = await ask(world.owner, route, { body })
      assert.deepEqual([edit.status, edit.text], [200, text], lineOf(route))
      assert.equal(edit.headers.get('etag'), headers.get('etag'))
    }
  }
  const organization = await world.owner.get('/organization')
  assert.equal((await world.owner.patch('/organization', { settings: {} })).text, organization.text)
  assert.deepEqual(await rowsOf(db, world), before)
})

test('an update without fields still checks If-Match and the roles', async () => {
  const { ask, world, open } = await scene()
  for (const route of edits) {
    const stale = await ask(world.owner, route, { body: {}, headers: { 'if-match': '"0"' } })
    assert.deepEqual([stale.status, stale.headers.get('x-error-code')], [412, 'etag_mismatch'], lineOf(route))
    const current = { 'if-match': (await ask(world.owner, route, { body: {} })).headers.get('etag') ?? '' }
    assert.equal((await ask(world.owner, route, { body: {}, headers: current })).status, 200, lineOf(route))
  }
  const viewer = await world.join('Vic Viewer', 'member')
  await world.addToProject(open.projects ?? '', viewer, 'viewer')
  for (const route of edits.filter(({ roles }) => !(roles as readonly string[]).includes('member'))) {
    assert.equal((await ask(viewer, route, { body: {} })).status, 403, lineOf(route))
  }
})
