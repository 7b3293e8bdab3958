import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onMigratedDatabase, serving } from '../support/processes.ts'
import { apiOf, created } from '../support/world.ts'

test('a request that changes long texts again and again, in a dry run or not, does not fill the memory of the process', async (t) => {
  const heap = { NODE_OPTIONS: '--max-old-space-size=96' }
  const { base, ownersKey } = await serving(t, { ...(await onMigratedDatabase(t)), ...heap })
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const { id: projectId } = await created(owner.post('/projects', { name: 'Long' }))
  const { id: workspaceId } = await created(owner.post('/workspaces', { name: 'Board', stages: ['One'] }))
  const [stage] = (await owner.get(`/workspaces/${workspaceId}/stages`)).body.data
  const task = { name: 'Long', projectId, workspaceId, description: 'длинный '.repeat(6_000) }
  for (let n = 0; n < 30; n++) await created(owner.post('/tasks', task))
  const operations = Array.from({ length: 60 }, (_, i) => ({
    ...{ method: 'PATCH', path: `/stages/${stage.id}`, body: { category: i % 2 ? 'todo' : 'done' } },
  }))
  // each names 1,800 changed texts of 48,000 characters
  for (const path of ['/bulk?dryRun=true', '/bulk']) assert.equal((await owner.post(path, { operations })).status, 200)
  assert.equal((await owner.get('/me')).status, 200)
})
