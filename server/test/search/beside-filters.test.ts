import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plannedServer, touched } from '../support/slow/plans.ts'
import { fillUnevenly } from '../support/slow/skewed.ts'
import { created } from '../support/world.ts'

const { db, newWorld, planner } = await plannedServer()

// a word in all tasks seems to be found anywhere; those of the other organization stand first
const [other, world] = [await newWorld(), await newWorld()]
await fillUnevenly(db, [{ world: other, tasks: 10_000 }])
await fillUnevenly(db, [{ world, tasks: 40_000 }])

/** The newest that are looked at one by one. */
const most = 2_100

for (const q of ['work', 'wor*', 'common work'])
  test(`${q} with a due date of long ago is searched by indexes, among the rows of the organization`, async () => {
    const plans = await planner.plansOf(async () => {
      const { body } = await world.owner.get(`/tasks?q=${encodeURIComponent(q)}&dueBefore=2001-01-01`)
      assert.deepEqual(body.data, [])
    })
    assert.ok(plans.length > 0)
    for (const plan of plans) {
      assert.ok(touched(plan) <= most, `${touched(plan)} rows`)
    }
  })

test('words on a board are searched in its project, and on a board without a project among all its tasks', async () => {
  const { owner, project, workspace } = await newWorld()
  const [one, another] = [await project(), await project()]
  const [own, shared] = [await workspace({ projectId: one.id }), await workspace()]
  const made: string[] = []
  for (const [projectId, workspaceId] of [
    ...[[one.id, own.id] as const, [one.id, shared.id] as const],
    ...[[another.id, shared.id] as const, [another.id, undefined] as const],
  ]) {
    const { id } = await created(owner.post('/tasks', { projectId, workspaceId, name: 'a worded thing' }))
    await created(owner.post('/tasks', { projectId, workspaceId, name: 'a thing' }))
    made.unshift(id)
  }
  const found = async (query: string) =>
    (await owner.get(`/tasks?${query}`)).body.data.map(({ id }: { id: string }) => id)
  for (const q of ['worded', 'worded+thing']) {
    assert.deepEqual(await found(`q=${q}&workspaceId=${shared.id}`), [made[1], made[2]])
    assert.deepEqual(await found(`q=${q}&workspaceId=${own.id}`), [made[3]])
    const { body } = await owner.get(`/workspaces/${shared.id}/stages`)
    assert.deepEqual(await found(`q=${q}&stageId=${body.data[0].id}`), [made[1], made[2]])
    assert.deepEqual(await found(`q=${q}&stageId=${body.data[1].id}`), [])
  }
})
