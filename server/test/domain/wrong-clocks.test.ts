import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { idFrom } from '../../src/db/ids.ts'
import { sql } from '../../src/db/sql.ts'
import { startServer } from '../world.ts'

const { db, newWorld } = await startServer()

const days = 86_400_000

test('a list pages past rows that were made while a clock was wrong, by years in either direction', async () => {
  const { owner, orgId, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const moments = [Date.UTC(1970, 0, 1), Date.UTC(2019, 0, 1), Date.now() + 3 * days, Date.UTC(2150, 0, 1)]
  const rows = moments.flatMap((ms) =>
    // of one millisecond, as a bulk makes them
    Array.from({ length: 6 }, (_, i) => ({ id: idFrom(ms, 2 ** 20 + i * 2 ** 18, randomBytes(6)), ms })),
  )
  await db.rows(sql`
    insert into time_entries (org_id, id, project_id, task_id, member_id, started_at, ended_at, created_at, updated_at)
    select ${orgId}::uuid, row.id, ${projectId}::uuid, ${taskId}::uuid, ${owner.memberId}::uuid, row.at, row.at, row.at, row.at
    from unnest(${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ ms }) => new Date(ms).toISOString())}::timestamptz[]) as row (id, at)`)
  for (const limit of [1, 4]) {
    const read: string[] = []
    for (let cursor = ''; ; ) {
      const { status, body, text } = await owner.get(`/time-entries?limit=${limit}${cursor}`)
      assert.equal(status, 200, text)
      read.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.pagination.nextCursor === null) break
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    assert.deepEqual(read, rows.map(({ id }) => id).toReversed())
  }
})
