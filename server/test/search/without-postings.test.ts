import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { type Api, sharedServer } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

const found = async ({ get }: Api, q: string) =>
  (await get(`/tasks?q=${encodeURIComponent(q)}`)).body.data.map(({ name }: { name: string }) => name).toSorted()

const postingsOf = (orgId: string, id: string) =>
  db.rows(sql`select word from postings where org_id = ${orgId} and id = ${id}`)

test('what a server of the version before writes is found at once, and what it replaced or deleted is not', async () => {
  const { orgId, owner, member, addToProject, project, task } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'viewer')
  const [edited, deleted] = await Promise.all([
    task({ projectId, name: 'old words' }),
    task({ projectId, name: 'old too' }),
  ])
  await db.rows(sql`
    update tasks set name = 'new words', version = version + 1, search = to_tsvector('simple', 'new words')
    where org_id = ${orgId} and id = ${edited.id}`)
  await db.rows(sql`update tasks set deleted_at = now() where org_id = ${orgId} and id = ${deleted.id}`)
  for (const caller of [owner, member]) {
    assert.deepEqual([await found(caller, 'old'), await found(caller, 'ol*')], [[], []])
    assert.deepEqual([await found(caller, 'new'), await found(caller, 'words new')], [['new words'], ['new words']])
  }
})

test('a text with very many words has no postings, and is found by each of them', async () => {
  const { orgId, owner, member, addToProject, project, task } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'viewer')
  const wordsTo = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')
  const long = await task({ projectId, name: 'Long', description: wordsTo(8_000).slice(0, 50_000) })
  const short = await task({ projectId, name: 'Short', description: wordsTo(400) })
  assert.deepEqual((await postingsOf(orgId, long.id)).length, 0)
  assert.deepEqual((await postingsOf(orgId, short.id)).length, 401)
  for (const caller of [owner, member]) {
    assert.deepEqual(await found(caller, 'word7 word399'), ['Long', 'Short'])
    assert.deepEqual(await found(caller, 'word4999'), ['Long'])
    assert.deepEqual(await found(caller, '"word4999 word5000" -short'), ['Long'])
  }
  assert.equal((await owner.patch(`/tasks/${long.id}`, { description: 'word3' })).status, 200)
  assert.deepEqual([await found(owner, 'word3'), await found(owner, 'word4999')], [['Long', 'Short'], []])
  assert.deepEqual((await postingsOf(orgId, long.id)).length, 2)
})
