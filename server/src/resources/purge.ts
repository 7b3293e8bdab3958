import type { Db } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { restorableMs } from './access.ts'

interface Deletable {
  table: Sql
  /** tables whose rows only join it to others, by the column that names it: they go with it */
  joins?: [table: Sql, column: Sql][]
  /** tables that may still refer to it, by column: then it stays for another time */
  referrers?: [table: Sql, column: Sql][]
}

const inProjects = [sql`time_entries`, sql`comments`, sql`subtasks`, sql`tasks`, sql`stages`, sql`workspaces`]

// what refers to others goes before them; members stay, as what they did names them
const deletables: Deletable[] = [
  { table: sql`time_entries`, joins: [[sql`time_entry_tags`, sql`time_entry_id`]] },
  { table: sql`comments` },
  { table: sql`subtasks`, referrers: [[sql`time_entries`, sql`subtask_id`]] },
  {
    table: sql`tasks`,
    joins: [
      [sql`task_tags`, sql`task_id`],
      [sql`task_assignees`, sql`task_id`],
    ],
    referrers: [
      [sql`time_entries`, sql`task_id`],
      [sql`subtasks`, sql`task_id`],
      [sql`comments`, sql`task_id`],
    ],
  },
  { table: sql`stages`, referrers: [[sql`tasks`, sql`stage_id`]] },
  {
    table: sql`workspaces`,
    referrers: [
      [sql`tasks`, sql`workspace_id`],
      [sql`stages`, sql`workspace_id`],
    ],
  },
  {
    table: sql`projects`,
    joins: [[sql`project_members`, sql`project_id`]],
    referrers: inProjects.map((table): [Sql, Sql] => [table, sql`project_id`]),
  },
  { table: sql`tags` },
  { table: sql`task_types` },
]

/** For a restore that began in time to end, on a machine whose clock is behind too. */
const graceMs = 3_600_000

/**
 * Deletes for good what can no longer be restored, in small batches, organization by organization.
 * @returns how many rows
 */
export async function purge(db: Db, now: Date, batch = 500): Promise<number> {
  const before = new Date(now.getTime() - restorableMs - graceMs).toISOString()
  await markBelowProjects(db, before, batch)
  let purged = 0
  for (const deletable of deletables) {
    for (const orgId of await organizationsWith(db, deletable.table, before)) {
      for (let last = batch; last === batch; purged += last)
        last = await purgeBatch(db, orgId, deletable, before, batch)
    }
  }
  return purged
}

// what is in a deleted project is invisible without a mark of its own; once the project goes, it goes too
async function markBelowProjects(db: Db, before: string, batch: number): Promise<void> {
  const projects = await db.rows<{ orgId: string; id: string; deletedAt: string }>(sql`
    select org_id as "orgId", id, deleted_at as "deletedAt" from projects where deleted_at < ${before} limit 100`)
  for (const { orgId, id, deletedAt } of projects) {
    for (const table of inProjects) {
      for (let last = batch; last === batch; ) {
        const marked = await db.rows(sql`
          update ${table} set deleted_at = ${deletedAt}, version = version + 1
          where org_id = ${orgId} and id in (
            select id from ${table} where org_id = ${orgId} and project_id = ${id} and deleted_at is null limit ${batch})
          returning id`)
        last = marked.length
      }
    }
  }
}

async function organizationsWith(db: Db, table: Sql, before: string): Promise<string[]> {
  const rows = await db.rows<{ orgId: string }>(sql`
    select distinct org_id as "orgId" from ${table} where deleted_at < ${before} limit 1000`)
  return rows.map(({ orgId }) => orgId)
}

async function purgeBatch(db: Db, orgId: string, deletable: Deletable, before: string, batch: number): Promise<number> {
  const { table, joins = [], referrers = [] } = deletable
  const unreferred = referrers.map(
    ([other, column]) => sql`and not exists (
      select from ${other} other where other.org_id = ${orgId} and other.${column} = due.id)`,
  )
  const gone = joins.map(
    ([other, column], i) => sql`${[sql`first`, sql`second`][i]} as (
      delete from ${other} where org_id = ${orgId} and ${column} in (select id from due)),`,
  )
  const purged = await db.rows(sql`
    with due as materialized (
      select due.id from ${table} due where due.org_id = ${orgId} and due.deleted_at < ${before}
        ${sql.join(unreferred, ' ')} limit ${batch}),
    ${sql.join(gone, ' ')}
    last as (delete from ${table} where org_id = ${orgId} and id in (select id from due) returning id)
    select id from last`)
  return purged.length
}
