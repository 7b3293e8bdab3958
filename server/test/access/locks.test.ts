import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Caller } from '../../src/access/caller.ts'
import type { Loader } from '../../src/access/loader.ts'
import type { Db } from '../../src/db/db.ts'
import type { RowLock, Sql } from '../../src/db/sql.ts'
import { member } from '../../src/resources/member.ts'
import { project } from '../../src/resources/project.ts'
import { task } from '../../src/resources/task.ts'
import { afterwards } from '../support/afterwards.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { databaseUrl, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

const countsLocks = onPlainPostgres('it counts the locks of the one backend that it talks to')

test('a write waits only in the queues of what it names, whatever plan PostgreSQL uses', countsLocks, async (t) => {
  const { owner, orgId, join, project: newProject, task: newTask } = await newWorld()
  const lead = await join('Lea Lead', 'member')
  const projects = await Promise.all(Array.from({ length: 5 }, () => newProject()))
  const [{ id: projectId = '' } = {}] = projects
  const { id: taskId } = await newTask({ projectId })
  for (const { id } of projects) await owner.post(`/projects/${id}/members`, { memberId: lead.memberId, role: 'lead' })

  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  afterwards(t, () => client.end())
  // every row of a table is come past
  await client.query(
    'set plan_cache_mode = force_generic_plan; set enable_indexscan = off; set enable_bitmapscan = off',
  )
  /** How many queues a look-up waits in. */
  const queuesOf = async (thing: Loader<unknown>, role: Caller['role'], id: string, lock: RowLock) => {
    const caller = { orgId, memberId: lead.memberId, role } as Caller
    await client.query('begin')
    const found = await thing.load(plainly(client), caller, { ids: [id], lock, deleted: false })
    assert.equal(found.length, 1)
    const { rows } = await client.query(`select count(*)::int as queues from pg_locks
      where locktype = 'advisory' and pid = pg_backend_pid()`)
    await client.query('rollback')
    return rows[0].queues
  }
  for (const role of ['owner', 'member'] as const) {
    for (const lock of ['update', 'share'] as const) {
      assert.equal(await queuesOf(project, role, projectId, lock), 1, `project, ${role}, ${lock}`)
      assert.equal(await queuesOf(task, role, taskId, lock), 1, `task, ${role}, ${lock}`)
    }
    assert.equal(await queuesOf(member, role, lead.memberId, 'share'), 1, `member, ${role}`)
  }
})

/** Statements as one client runs them. */
function plainly(client: pg.Client): Db {
  const rows = async <Row>({ text, values }: Sql) => (await client.query(text, [...values])).rows as Row[]
  return { rows, row: async <Row>(statement: Sql) => (await rows<Row>(statement))[0] }
}
