import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { idFrom } from '../../../../src/db/ids.ts'
import { sql } from '../../../../src/db/sql.ts'
import { passedOn, plannedServer, withoutAutovacuum } from '../../../support/slow/plans.ts'

const { db, newWorld, planner } = await plannedServer()
await withoutAutovacuum(db)

test('a task of 1970 and one of 2099 are two rows and two days more to a report of a hundred tasks, and none to who does not see them', async () => {
  const { orgId, owner, member, project, addToProject } = await newWorld()
  const [{ id: projectId }, { id: hiddenId }] = [await project(), await project()]
  await addToProject(projectId, member, 'viewer')
  let number = 0
  const add = async (projectId: string, ms: number) => {
    const at = new Date(ms).toISOString()
    const moments = { createdAt: at, updatedAt: at, completedAt: at, createdBy: owner.memberId }
    const row = { orgId, id: idFrom(ms, ++number, randomBytes(6)), projectId, number, key: `T-${number}`, name: 'Some' }
    await db.rows(sql`insert into tasks ${sql.values({ ...row, ...moments })}`)
  }
  for (let hour = 0; hour < 100; hour++) await add(projectId, Date.UTC(2026, 4, 4, 6 * hour))
  const reports = ['createdDay', 'completedWeek', 'createdDay,completedMonth', 'createdMonth&completed=true'].flatMap(
    (asked) => [owner, member].map((api) => ({ api, path: `/reports/tasks?groupBy=${asked}` })),
  )
  const answers = () =>
    Promise.all(
      reports.map(async ({ api, path }) => {
        const { status, body } = await api.get(path)
        assert.equal(status, 200)
        return body.data
      }),
    )
  const rows = async () => {
    const all: number[] = []
    for (const { api, path } of reports) {
      const plans = await planner.plansOf(() => api.get(path))
      all.push(plans.reduce((sum, plan) => sum + passedOn(plan), 0))
    }
    return all
  }
  await db.rows(sql`analyze`)
  const [few, before] = [await rows(), await answers()]
  for (const at of ['1970-01-02T09:00:00Z', '2099-12-30T09:00:00Z']) await add(hiddenId, Date.parse(at))
  const [more, after] = [await rows(), await answers()]
  for (const [i, { api, path }] of reports.entries()) {
    const hides = api === member
    assert.equal(after[i].length, before[i].length + (hides ? 0 : 2), path)
    if (hides) assert.deepEqual(after[i], before[i], path)
    const ratio = (more[i] ?? 0) / (few[i] ?? 1)
    assert.ok(ratio < 1.2, `${path}: ${ratio} times as many rows where they are ${hides ? 'hidden' : 'seen'}`)
  }
})
