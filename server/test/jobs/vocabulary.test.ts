import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { jobsOf } from '../../src/jobs/all-jobs.ts'
import type { Run } from '../../src/jobs/job.ts'
import { keepUp } from '../../src/jobs/searching.ts'
import { unlearn, unlearning } from '../../src/jobs/vocabulary.ts'
import { holdCounter } from '../support/holding.ts'
import { ranOnce } from '../support/running.ts'
import { created, migratedDatabase, startServer, type World } from '../support/world.ts'

// of its own, because the jobs look at all organizations
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

const day = 86_400_000
const settings = { eventRetentionMs: 30 * day, auditRetentionMs: 365 * day, backups: undefined }

/** What the vocabulary of an organization holds of these words. */
async function known({ orgId }: World, ...words: string[]): Promise<string[]> {
  const rows = await db.rows<{ word: string }>(sql`
    select distinct word from vocabulary where org_id = ${orgId} and word = any(${words}) order by word`)
  return rows.map(({ word }) => word)
}

test('no word of what was deleted is left once it is purged, though its project lives', async () => {
  const world = await newWorld()
  const task = await world.task({ projectId: (await world.project()).id, name: 'Plain' })
  const comment = await created(world.owner.post(`/tasks/${task.id}/comments`, { body: 'Secretword, plain' }))
  assert.equal((await ranOnce(db, keepUp)).size, 0)
  assert.equal((await world.owner.delete(`/comments/${comment.id}`)).status, 204)
  assert.equal((await ranOnce(db, keepUp)).size, 0)
  assert.deepEqual(await known(world, 'secretword', 'plain'), ['plain', 'secretword'])
  const later = new Date(Date.now() + 31 * day)
  for (const job of jobsOf(settings)) assert.equal((await ranOnce(db, job.run, later)).size, 0, job.name)
  assert.deepEqual(await known(world, 'secretword', 'plain'), ['plain'])
})

test('the vocabulary holds no more than there is, however often a task is edited', async () => {
  const world = await newWorld()
  const task = await world.task({ projectId: (await world.project()).id, name: 'Word0' })
  for (let i = 1; i < 30; i++) await world.owner.patch(`/tasks/${task.id}`, { name: `Word${i}` })
  assert.equal((await ranOnce(db, (run) => unlearn(run, 7))).size, 0)
  const left = await db.rows<{ word: string }>(sql`
    select word from vocabulary where org_id = ${world.orgId} and word like 'word%'`)
  assert.deepEqual(
    left.map(({ word }) => word),
    ['word29'],
  )
})

test('where words are too many for one run the next one goes on, and all are looked through again after six hours', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const task = await world.task({ projectId, name: 'Aa ab ac ad gone0' })
  for (let i = 1; i < 9; i++) await world.owner.patch(`/tasks/${task.id}`, { name: `Aa ab ac ad gone${i}` })
  const job = unlearning(2)
  /** Whether there is more: each run has one turn of each organization. */
  const run = async (at: number): Promise<boolean> => {
    let more = false
    const cutOff = (run: Run): Run => ({
      ...run,
      inEach: (orgIds, turn) =>
        run.inEach(orgIds, async (id) => {
          if (await turn(id)) more = true
          return false
        }),
    })
    assert.equal((await ranOnce(db, (run) => job.run(cutOff(run)), new Date(at))).size, 0)
    return more
  }
  const goneWords = () => known(world, ...Array.from({ length: 9 }, (_, i) => `gone${i}`))
  const minute = 60_000
  const startMs = Date.now()
  assert.equal(await run(startMs), false)
  assert.equal((await goneWords()).length, 9, 'nothing is looked through as soon as a server has started')
  let nowMs = startMs + 11 * minute
  for (; await run(nowMs); nowMs += minute) assert.ok(nowMs < startMs + day, 'It comes to no end')
  assert.deepEqual(await goneWords(), ['gone8'])
  await world.owner.patch(`/tasks/${task.id}`, { name: 'Aa ab ac ad' })
  assert.equal(await run(nowMs + minute), false)
  assert.deepEqual(await goneWords(), ['gone8'])
  for (nowMs = startMs + 371 * minute; await run(nowMs); nowMs += minute);
  assert.deepEqual(await goneWords(), [])
})

test('a word that comes back while it is taken out of the vocabulary is found by how it begins', async (t) => {
  const world = await newWorld()
  const { owner, member } = world
  const { id: projectId } = await world.project()
  await world.addToProject(projectId, member)
  const task = await world.task({ projectId, name: 'Returning' })
  await owner.patch(`/tasks/${task.id}`, { name: 'Other' })
  const held = await holdCounter(t, url, world.orgId)
  // it posts the word, which is known, and is not committed
  const returning = owner.post('/tasks', { projectId, name: 'Returning' })
  await held.waiters(1)
  const running = ranOnce(db, unlearn)
  await held.waiters(2)
  await held.release()
  const { id } = (await returning).body
  assert.equal((await running).size, 0)
  const found = (await member.get('/tasks?q=return*')).body.data
  assert.deepEqual(
    found.map((task: { id: string }) => task.id),
    [id],
  )
  assert.deepEqual(await known(world, 'returning'), ['returning'])
})
