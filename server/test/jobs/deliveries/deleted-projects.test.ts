import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allowed } from '../../support/allowed.ts'
import { startDelivering, webhookTo } from '../../support/delivering.ts'
import { type Received, startReceiver } from '../../support/receiver.ts'
import { migratedDatabase, startServer } from '../../support/world.ts'

const { url, drop } = await migratedDatabase()
const { newWorld, notices } = await startServer({ url, allowedSubnets: allowed })
after(drop)

const typesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).type)

test('a webhook of a deleted project gets nothing until both are restored, and then what it missed, in order', async (t) => {
  const world = await newWorld()
  const [own, other] = [await startReceiver(t), await startReceiver(t)]
  const { id: projectId } = await world.project()
  await webhookTo(t, world, own.url, { projectId, types: ['task.*', 'project.*'] })
  await webhookTo(t, world, other.url, { types: ['task.*', 'project.*', 'tag.*'] })
  startDelivering(t, { url, notices })
  await world.task({ projectId })
  await own.until(({ length }) => length === 1)
  assert.equal((await world.owner.delete(`/projects/${projectId}`)).status, 204)
  await other.until((received) => typesOf(received).includes('project.deleted'))
  await world.tag()
  await other.until((received) => typesOf(received).includes('tag.created'))
  assert.deepEqual(typesOf(own.received), ['task.created'])
  assert.equal((await world.owner.post(`/projects/${projectId}/restore`)).status, 200)
  await own.until(({ length }) => length === 3)
  assert.deepEqual(typesOf(own.received), ['task.created', 'project.deleted', 'project.restored'])
})
