import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { databaseUrl, startServer } from '../support/world.ts'

const { newWorld } = await startServer()

/** Somebody who writes in a project and does not come to an end. */
const endlessWriter = (t: Scope, orgId: string, projectId: string) =>
  hold(t, databaseUrl, endlessly, [orgId, projectId])

// where the project's row is, as a write takes it
const endlessly = `select pg_advisory_xact_lock_shared(uuid_hash_extended(id, 0)) from projects where org_id = $1 and id = $2`

test('a caller without the right to archive, delete or staff a project is refused at once during writes, and blocks nobody', async (t) => {
  const { orgId, owner, admin, member, project, addToProject } = await newWorld()
  const { id } = await project()
  await addToProject(id, member, 'viewer')
  await endlessWriter(t, orgId, id)
  const refused = await Promise.all([
    member.post(`/projects/${id}/archive`),
    member.delete(`/projects/${id}`),
    member.patch(`/projects/${id}/members/${member.memberId}`, { role: 'lead' }),
    member.delete(`/projects/${id}/members/${member.memberId}`),
    member.delete(`/members/${owner.memberId}`),
  ])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  )
  assert.equal((await admin.post('/tasks', { projectId: id, name: 'Not held up' })).status, 201)
})
