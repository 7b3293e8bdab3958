import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { type Api, migratedDatabase, startServer, type World } from '../support/world.ts'

const { url, drop } = await migratedDatabase()
// nobody ends a deadlock for so long, and so who is in one is answered 503
const { db } = await startServer({ url })
await db.rows(sql`do $$ begin
  execute format('alter database %I set deadlock_timeout = ''60s''', current_database());
end $$`)
const { newWorld } = await startServer({ url, lockTimeoutMs: 20_000 })
after(drop)

type Write = [method: string, path: string, body?: object]

/** A board of a project with six tasks that bear a tag, each with time that bears it too. */
async function board(world: World) {
  const { owner, project, workspace, stages, task, timeEntry, tag } = world
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [one, other] = await stages(workspaceId)
  const [gone, kept] = [await tag(), await tag()]
  const tasks: string[] = []
  const entries: string[] = []
  for (let i = 0; i < 6; i++) {
    const { id } = await task({ projectId, workspaceId, tagIds: [gone.id] })
    tasks.push(id)
    entries.push((await timeEntry({ taskId: id, tagIds: [gone.id] })).id)
  }
  return { owner, projectId, workspaceId, one: one.id, other: other.id, gone: gone.id, kept: kept.id, tasks, entries }
}

type Board = Awaited<ReturnType<typeof board>>

const dilemmas: Record<string, (made: Board) => Write[]> = {
  'tasks take another tag while theirs is deleted': ({ tasks, gone, kept }) => [
    ...tasks.map((id): Write => ['PATCH', `/tasks/${id}`, { tagIds: [kept] }]),
    ['DELETE', `/tags/${gone}`],
    ...tasks.map((id): Write => ['PATCH', `/tasks/${id}`, { tagIds: [kept], priority: 'high' }]),
  ],
  'tasks keep their tag while it is deleted': ({ tasks, gone }) => [
    ...tasks.map((id): Write => ['PATCH', `/tasks/${id}`, { tagIds: [gone], priority: 'high' }]),
    ['DELETE', `/tags/${gone}`],
    ...tasks.map((id): Write => ['PATCH', `/tasks/${id}`, { tagIds: [gone], priority: 'low' }]),
  ],
  'time takes another tag while its own is deleted': ({ entries, gone, kept }) => [
    ...entries.map((id): Write => ['PATCH', `/time-entries/${id}`, { tagIds: [kept] }]),
    ['DELETE', `/tags/${gone}`],
    ...entries.map((id): Write => ['PATCH', `/time-entries/${id}`, { tagIds: [kept], billable: true }]),
  ],
  'tasks enter and move in a board while it is deleted': ({ projectId, workspaceId, one, other, tasks }) => [
    ...tasks.map((id): Write => ['DELETE', `/tasks/${id}`]),
    ['POST', '/tasks', { name: 'Late', projectId, stageId: one }],
    ['DELETE', `/workspaces/${workspaceId}`],
    ['POST', '/tasks', { name: 'Later', projectId, stageId: other }],
    ...tasks.map((id): Write => ['POST', `/tasks/${id}/move`, { stageId: other }]),
  ],
  'stages move during a dry run of deleting their board': ({ workspaceId, one, other }) => [
    ['POST', `/stages/${one}/move`, { afterId: other }],
    ['DELETE', `/workspaces/${workspaceId}?dryRun=true`],
    ['POST', `/stages/${other}/move`, { afterId: one }],
    ['DELETE', `/workspaces/${workspaceId}?dryRun=true`],
  ],
  'tasks change stages by edits and by moves while one is deleted': ({ one, other, tasks }) => [
    ...tasks.map((id): Write => ['PATCH', `/tasks/${id}`, { stageId: other }]),
    ['DELETE', `/stages/${one}?moveTasksTo=${other}`],
    ...tasks.map((id): Write => ['POST', `/tasks/${id}/move`, { stageId: one }]),
    ['PATCH', `/stages/${other}`, { category: 'done' }],
    ...tasks.map((id): Write => ['PATCH', `/tasks/${id}`, { stageId: one }]),
  ],
}

for (const [what, writes] of Object.entries(dilemmas)) {
  test(`no deadlock: ${what}`, async () => {
    const world = await newWorld()
    for (let round = 0; round < 5; round++) {
      const made = await board(world)
      const sent = writes(made)
      const statuses = await Promise.all(sent.map((write) => status(made.owner, write)))
      const failed = sent
        .map(([method, path], i) => `${method} ${path}: ${statuses[i]}`)
        .filter((line) => / 5..$/.test(line))
      assert.deepEqual(failed, [], `round ${round}`)
    }
  })
}

const status = async (owner: Api, [method, path, body]: Write) =>
  (await owner.call(method, path, body, method === 'POST' ? { 'idempotency-key': randomUUID() } : {})).status
