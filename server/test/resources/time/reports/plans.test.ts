import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../../src/db/sql.ts'
import { passedOn, plannedServer, withoutAutovacuum } from '../../../support/slow/plans.ts'

const { db, newWorld, planner } = await plannedServer()
await withoutAutovacuum(db)

test('an entry of 1970 and one of 2099 do not make a report of time read many more rows', async () => {
  const world = await newWorld()
  const { id: taskId } = await world.task({ projectId: (await world.project()).id })
  const log = (ms: number) => world.timeEntry({ taskId, startedAt: new Date(ms).toISOString() })
  for (let hour = 0; hour < 100; hour++) await log(Date.UTC(2026, 4, 4, 6 * hour))
  const may = 'startedAfter=2026-05-01T00:00:00Z&startedBefore=2026-06-01T00:00:00Z'
  const paths = ['day', 'week,member', 'month', `month&${may}`].map((asked) => `/reports/time?groupBy=${asked}`)
  const rows = async (path: string) => {
    const plans = await planner.plansOf(() => world.owner.get(path))
    return plans.reduce((sum, plan) => sum + passedOn(plan), 0)
  }
  const allRows = async () => {
    await db.rows(sql`analyze`)
    const all: number[] = []
    for (const path of paths) all.push(await rows(path))
    return all
  }
  const before = await allRows()
  for (const at of ['1970-01-02T09:00:00Z', '2099-12-30T09:00:00Z']) await log(Date.parse(at))
  const after = await allRows()
  for (const [i, path] of paths.entries()) {
    const ratio = (after[i] ?? 0) / (before[i] ?? 1)
    assert.ok(ratio < 1.2, `${path}: ${ratio} times as many rows`)
  }
})
