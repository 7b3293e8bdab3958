import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { collectChanges } from '../../../src/events/outbox.ts'
import { manyTasks } from '../../support/many.ts'
import { fastest, longestTurn } from '../../support/turns.ts'
import { startServer } from '../../support/world.ts'

const { newWorld, db } = await startServer({ checkAnswers: false })

test('when a stage of thousands of tasks becomes a done stage, nobody waits for the events of all tasks', async () => {
  const { orgId, owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const stage = (await stages(workspaceId))[0]
  const first = await task({ projectId, workspaceId, stageId: stage.id })
  const ids = await manyTasks(db, orgId, first.id, 3_000, {})
  await db.rows(sql`
    update tasks set workspace_id = ${workspaceId}, stage_id = ${stage.id}, position = number
    where org_id = ${orgId} and id = any(${ids})`)
  const atOnceMs = fastest(() => {
    const { emit } = collectChanges(orgId)
    for (const id of ids) emit('task.updated', { ...first, id }, { before: { ...first, id, completedAt: null } })
  })
  let turn = 0
  const change = async () => {
    const { status, text } = await owner.patch(`/stages/${stage.id}`, { category: turn++ % 2 ? 'todo' : 'done' })
    assert.equal(status, 200, text)
  }
  let longestMs = await longestTurn(change)
  // garbage of all that went before may be collected within any of them
  for (let n = 1; n < 3 && longestMs >= atOnceMs; n++) longestMs = await longestTurn(change)
  assert.ok(longestMs < atOnceMs, `a turn of ${longestMs} ms, where the events take ${atOnceMs} at once`)
  const told = await db.row<{ count: number }>(sql`
    select count(*)::int as count from events where org_id = ${orgId} and type = 'task.updated'`)
  assert.equal(told?.count, turn * 3_001)
})
