import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { startServer } from '../../support/world.ts'
import { outcome, refusal, settingUp } from './overlapping.ts'

const { db, newWorld } = await startServer()
const setUp = settingUp(newWorld)

/** A deleted project with so many entries of the owner, one a minute from the beginning of 2001 on. */
async function deletedProject(
  { orgId, owner, project, task }: Awaited<ReturnType<typeof setUp>>,
  count: number,
  gaveWay = false,
) {
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  await db.rows(sql`
    insert into time_entries (org_id, id, project_id, task_id, member_id, started_at, ended_at, no_overlap, gave_way, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), ${projectId}, ${taskId}, ${owner.memberId}, began, began + interval '1 minute',
      true, ${gaveWay}, now(), now()
    from generate_series(0, ${count - 1}::int) n, lateral (select '2001-01-01T00:00:00Z'::timestamptz + n * interval '1 minute' as began) begun`)
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  return projectId
}

const tooMany = { status: 412, code: 'too_many_changes' }

test('time before which more than 10,000 entries of deleted projects would give way is refused: 412, and a part of it is not', async () => {
  const world = await setUp()
  const { owner, taskId } = world
  const projectId = await deletedProject(world, 10_001)
  const log = (startedAt: string) => owner.post('/time-entries', { taskId, startedAt, endedAt: '2010-01-01T00:00:00Z' })
  assert.deepEqual(outcome(await log('1970-01-01T00:00:00Z')), tooMany)
  const { status, body: later } = await log('2001-01-01T00:01:00Z')
  assert.equal(status, 201)
  // those that gave way count no more
  const moved = await owner.patch(`/time-entries/${later.id}`, { startedAt: '1970-01-01T00:00:00Z' })
  assert.equal(moved.status, 200)
  const refused = await owner.post(`/projects/${projectId}/restore`)
  assert.deepEqual(outcome(refused), refusal)
  assert.match(refused.body.error, new RegExp(`^The entry \\S+ overlaps the entry ${later.id} of the same member$`))
  assert.equal((await owner.delete(`/time-entries/${later.id}`)).status, 204)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
})

test('of a bulk, too, no more than 10,000 entries of deleted projects give way to all writes together: 412', async () => {
  const world = await setUp()
  const { owner, taskId } = world
  await deletedProject(world, 10_001)
  const log = (startedAt: string, endedAt: string) => ({
    ...{ method: 'POST', path: '/time-entries', body: { taskId, startedAt, endedAt } },
  })
  const first = log('2001-01-01T00:00:00Z', '2001-01-05T00:00:00Z')
  const bulk = (...operations: object[]) => owner.post('/bulk', { operations })
  const whole = await bulk(first, log('2001-01-05T00:00:00Z', '2010-01-01T00:00:00Z'))
  assert.deepEqual(outcome(whole), tooMany)
  assert.match(
    whole.body.error,
    /^operations\.1: More than 10000 time entries of deleted projects would give way to it; /,
  )
  assert.equal((await bulk(first, log('2001-01-05T00:01:00Z', '2010-01-01T00:00:00Z'))).status, 200)
})

test('a project of which more than 20,000 entries gave way is not restored: 412', async () => {
  const world = await setUp()
  const projectId = await deletedProject(world, 20_001, true)
  assert.deepEqual(outcome(await world.owner.post(`/projects/${projectId}/restore`)), tooMany)
})
