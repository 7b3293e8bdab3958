import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plannedServer, touched, unindexed } from '../support/plans.ts'
import { fillUnevenly } from '../support/skewed.ts'

const { db, newWorld, planner } = await plannedServer()

// a word in all tasks seems to be found anywhere; those of the other organization stand first
const [other, world] = [await newWorld(), await newWorld()]
await fillUnevenly(db, [{ world: other, tasks: 10_000 }])
await fillUnevenly(db, [{ world, tasks: 40_000 }])

/** So many tasks with the word are looked up one by one at most; whether they are more is told by as many postings. */
const most = 3 * 4_000

for (const q of ['work', 'wor*', 'common work'])
  test(`${q} beside a due date of long ago is looked for in indexes, among what the organization has`, async () => {
    const plans = await planner.plansOf(async () => {
      const { body } = await world.owner.get(`/tasks?q=${encodeURIComponent(q)}&dueBefore=2001-01-01`)
      assert.deepEqual(body.data, [])
    })
    assert.ok(plans.length > 0)
    for (const plan of plans) {
      assert.ok(!unindexed(plan).includes('postings'), 'postings are read from end to end')
      assert.ok(touched(plan) <= most, `${touched(plan)} rows`)
    }
  })
