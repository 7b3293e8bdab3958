import { restorableMs } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Job, Run } from './job.ts'
import { organizationsWith } from './organizations.ts'

/** Deletes for good what can no longer be restored, and keys that open nothing for as long. */
export const purging: Job = { name: 'purge', everyMs: 60_000, run: (run) => purge(run) }

interface Deletable {
  table: Sql
  /** since when it is as good as gone; default: when it was deleted */
  ended?: Sql
  /** tables whose rows only join it to others, by the column that names it: they go with it */
  joins?: [table: Sql, column: Sql][]
  /** tables that may still refer to it, by column: then it stays for another time */
  referrers?: [table: Sql, column: Sql][]
}

// what refers to others goes before them
const inProjects: Deletable[] = [
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
]

const keys = sql`api_keys`

// members stay, as what they did names them
const deletables: Deletable[] = [
  ...inProjects,
  {
    table: sql`projects`,
    joins: [[sql`project_members`, sql`project_id`]],
    referrers: inProjects.map(({ table }): [Sql, Sql] => [table, sql`project_id`]),
  },
  {
    table: sql`tags`,
    referrers: [
      [sql`detachments`, sql`id`],
      [sql`task_tags`, sql`tag_id`],
      [sql`time_entry_tags`, sql`tag_id`],
    ],
  },
  {
    table: sql`task_types`,
    referrers: [
      [sql`detachments`, sql`id`],
      [sql`tasks`, sql`type_id`],
    ],
  },
  // what was made with it is still revoked with it, and so keeps it
  {
    table: keys,
    ended: sql`least(due.revoked_at, due.expires_at)`,
    referrers: [[keys, sql`created_with`]],
  },
]

const deleted = sql`due.deleted_at`

/** For a restore that began in time to end, on a machine whose clock is behind too. */
const graceMs = 3_600_000

/**
 * Deletes for good what can no longer be restored: what was deleted by itself, and what is in a deleted project, which is
 * invisible without a mark of its own.
 * @param batch rows of an organization at a time
 */
export async function purge({ db, now, inEach }: Run, batch = 500): Promise<void> {
  const before = new Date(now.getTime() - restorableMs - graceMs).toISOString()
  const due = deletables.map(({ table, ended = deleted, referrers = [] }) => {
    // what its own kind refers to may stay for years, and is nothing to do
    const own = referrers.filter(([other]) => other === table)
    const unreferred = own.map(
      ([other, column]) => sql`and not exists (
        select from ${other} other where other.org_id = organizations.org_id and other.${column} = due.id)`,
    )
    return sql`${table} due where due.org_id = organizations.org_id and ${ended} < ${before} ${sql.join(unreferred, ' ')}`
  })
  await inEach(await organizationsWith(db, ...due), async (orgId) => {
    // what others may refer to comes when none of these is left
    for (const deletable of deletables)
      if ((await purgeBatch(db, orgId, deletable, before, batch)) >= batch) return true
    return false
  })
}

async function purgeBatch(db: Db, orgId: string, deletable: Deletable, before: string, batch: number): Promise<number> {
  const { table, ended = deleted, joins = [], referrers = [] } = deletable
  // asked of each row by itself (hence offset 0), as a batch has few
  const unreferred = referrers.map(
    ([other, column]) => sql`and not exists (
      select from ${other} other where other.org_id = ${orgId} and other.${column} = due.id offset 0)`,
  )
  const due = (condition: Sql) => sql`
    select due.id from ${table} due where due.org_id = ${orgId} and ${condition} ${sql.join(unreferred, ' ')} limit ${batch}`
  const below = inProjects.includes(deletable)
    ? sql`union (
        select due.id from projects
        cross join lateral (${due(sql`due.project_id = projects.id`)}) due
        where projects.org_id = ${orgId} and projects.deleted_at < ${before} limit ${batch})`
    : sql.empty
  const gone = joins.map(
    ([other, column], i) => sql`${[sql`first`, sql`second`][i]} as (
      delete from ${other} where org_id = ${orgId} and ${column} in (select id from due)),`,
  )
  const purged = await db.rows(sql`
    with due as materialized ((${due(sql`${ended} < ${before}`)}) ${below}),
    ${sql.join(gone, ' ')}
    last as (delete from ${table} where org_id = ${orgId} and id in (select id from due) returning id)
    select id from last`)
  return purged.length
}
