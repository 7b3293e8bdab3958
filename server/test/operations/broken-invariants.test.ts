import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { startServer } from '../support/world.ts'

const { db, newWorld, logged } = await startServer()

test('a row that is missing by our mistake is a 500 that is logged, not a 404', async () => {
  const { owner, orgId, project, task, subtask, timeEntry } = await newWorld()
  const step = await subtask((await task({ projectId: (await project()).id })).id)
  const { id } = await timeEntry({ subtaskId: step.id })
  await db.rows(sql`update subtasks set deleted_at = created_at where org_id = ${orgId} and id = ${step.id}`)
  const { status, body, headers } = await owner.patch(`/time-entries/${id}`, { description: 'x' })
  assert.equal(status, 500)
  assert.match(body.error, /^Internal server error/)
  const requestId = headers.get('x-request-id') ?? ''
  assert.ok(logged.some((line) => line.includes(requestId) && line.includes('The subtask of time that is there')))
})

test('a member who is removed after the key was looked up gets 401 from /me', async () => {
  const { orgId, join } = await newWorld()
  const { memberId, get } = await join('Ann Example', 'member')
  assert.equal((await get('/me')).status, 200)
  // behind the server's back, so that what it knows of the key stays
  await db.rows(sql`update members set deleted_at = created_at where org_id = ${orgId} and id = ${memberId}`)
  assert.equal((await get('/me')).status, 401)
})
