import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectAgent, webProject } from '../support/agent.ts'
import { hold } from '../support/holding.ts'
import { created, migratedDatabase, startServer } from '../support/world.ts'

// of its own: a whole table is held
const { url, drop } = await migratedDatabase()
const server = await startServer({ url })
after(drop)

test('a call whose key is revoked while it runs reads nothing from then on', async (t) => {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const { id: tagId } = await world.tag({ name: 'Urgent' })
  await world.task({ projectId: project.id, name: 'Fix the login', tagIds: [tagId] })
  const key = await created(world.owner.post('/api-keys', { name: 'Agent' }))
  const { call } = await connectAgent(server.base, key.secret)
  const find = () => call('find_tasks', { tag: 'Urgent' })
  assert.match((await find()).text, /Fix the login/)
  const held = await hold(t, url, 'lock table tags in access exclusive mode')
  const finding = find()
  await held.waiters(1)
  assert.equal((await world.owner.delete(`/api-keys/${key.id}`)).status, 204)
  await held.release()
  const { refused, text } = await finding
  assert.ok(refused)
  assert.match(text, /revoked API key/)
})
