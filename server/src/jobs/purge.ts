import { restorableMs } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { TableDeclaration } from '../db/table.ts'
import { isDetachable } from '../resources/detaching/referrers.ts'
import { tables } from '../resources/index.ts'
import type { Job, JobContext } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'
import { takeTextsOff } from './purged-texts.ts'

/** Deletes resources that nobody can restore any more, and API keys that ended as long ago. */
export const purging: Job = { name: 'purge', everyMs: 60_000, run: (run) => purge(run) }

interface Deletable {
  table: Sql
  /** SQL: the time at which the row was deleted or stopped working */
  goneSince: (row: Sql) => Sql
  /** tables that only join its rows to others, with the column that names it: their rows are deleted with it */
  joins: [table: Sql, column: Sql][]
  /** tables that may still refer to its rows, by column: such rows wait for a later run */
  referrers: [table: Sql, column: Sql][]
  /** whether its rows belong to a project: the deletion of the project does not mark them */
  inProject: boolean
  /** whether these are projects */
  holdsOthers: boolean
}

// rows that refer to others go first
const deletables = tables.toReversed().flatMap((declared): Deletable[] => {
  const { name, table, refersTo, joins, goneSince } = declared
  if (goneSince === 'never') return []
  const own = Object.entries(joins).flatMap(([join, columns]) => naming(name, sql.named(join), columns))
  const inProject = refersTo.projectId === 'projects'
  const holdsOthers = name === 'projects'
  return [{ table, goneSince, joins: own, referrers: referrersOf(declared), inProject, holdsOthers }]
})

function referrersOf({ name, noun }: TableDeclaration): [table: Sql, column: Sql][] {
  const rows = tables.flatMap(({ table, refersTo }) => naming(name, table, refersTo))
  const others = tables.filter((table) => table.name !== name).flatMap(({ joins }) => Object.entries(joins))
  const joining = others.flatMap(([join, columns]) => naming(name, sql.named(join), columns))
  // a row stays while it is being detached
  const detachments: [Sql, Sql][] = isDetachable(noun) ? [[sql`detachments`, sql`id`]] : []
  return [...detachments, ...rows, ...joining]
}

/** The columns of a table that name rows of another table. */
function naming(other: string, table: Sql, columns: Record<string, string>): [table: Sql, column: Sql][] {
  const found = Object.keys(columns).filter((column) => columns[column] === other)
  return found.map((column) => [table, sql.named(column)])
}

/** For a restore that began just in time, and for machines with a slow clock. */
const graceMs = 3_600_000

/**
 * Deletes resources for good after their time to restore: deleted rows, and the rows of a deleted project, which have no mark
 * of their own.
 * @param batch rows per turn of an organization
 */
export async function purge({ db, now, inEach }: JobContext, batch = 500): Promise<void> {
  const before = new Date(now.getTime() - restorableMs - graceMs).toISOString()
  const due = await dueBefore(db, before)
  await inEach(due.keys(), async (orgId) => {
    // go on to the next table only when this one is empty: its rows may refer to rows of the next
    for (const deletable of due.get(orgId) ?? []) if (await purgeBatch(db, orgId, deletable, before, batch)) return true
    return false
  })
}

/** The tables to purge, by organization. So a run over many organizations with little to do sends few statements. */
async function dueBefore(db: Db, before: string): Promise<Map<string, readonly Deletable[]>> {
  const due = new Map<string, readonly Deletable[]>()
  for (const deletable of deletables) {
    for (const orgId of await organizationsWith(db, marked(deletable, before))) {
      const found = due.get(orgId) ?? []
      if (found !== deletables) due.set(orgId, deletable.holdsOthers ? deletables : [...found, deletable])
    }
  }
  return due
}

function marked({ table, goneSince, referrers }: Deletable, before: string): Sql {
  // skip rows that others of the same table refer to: they may stay for years, and no run could purge them
  const own = referrers.filter(([other]) => other === table)
  const unreferred = own.map(
    ([other, column]) => sql`and not exists (
      select from ${other} other where other.org_id = organizations.org_id and other.${column} = due.id)`,
  )
  return sql`${table} due where due.org_id = organizations.org_id and ${goneSince(sql`due`)} < ${before} ${sql.join(unreferred, ' ')}`
}

/** @returns whether more may be left */
async function purgeBatch(
  db: Database,
  orgId: string,
  deletable: Deletable,
  before: string,
  batch: number,
): Promise<boolean> {
  const { table, goneSince, joins, referrers, inProject } = deletable
  // offset 0 makes PostgreSQL probe each row separately, as a batch has few
  const unreferred = referrers.map(
    ([other, column]) => sql`and not exists (
      select from ${other} other where other.org_id = ${orgId} and other.${column} = due.id offset 0)`,
  )
  const due = (condition: Sql) => sql`
    select due.id from ${table} due where due.org_id = ${orgId} and ${condition} ${sql.join(unreferred, ' ')} limit ${batch}`
  const below = inProject
    ? sql`union (
        select due.id from projects
        cross join lateral (${due(sql`due.project_id = projects.id`)}) due
        where projects.org_id = ${orgId} and projects.deleted_at < ${before} limit ${batch})`
    : sql.empty
  const gone = joins.map(
    ([other, column], i) => sql`${sql.named(`joined_${i}`)} as (
      delete from ${other} where org_id = ${orgId} and ${column} in (select id from due)),`,
  )
  // limit the batch by the number of its events, as all of them are rewritten and one resource may have very many
  const few = sql`
    select id from (
      select found.id, sum(told.count) over (order by found.id) - told.count as before from found
      cross join lateral (
        select count(*) from events
        where events.org_id = ${orgId} and events.resource_id = found.id and events.created_at >= ${before}) told) counted
    where before < ${mostEvents}`
  return inOrganization(db, orgId, async (tx) => {
    const purged = await tx.rows<{ id: string; found: number }>(sql`
      with found as materialized ((${due(sql`${goneSince(sql`due`)} < ${before}`)}) ${below}),
      due as materialized (${few}),
      ${sql.join(gone, ' ')}
      last as (delete from ${table} where org_id = ${orgId} and id in (select id from due) returning id)
      select id, (select count(*)::int from found) as found from last`)
    const ids = purged.map(({ id }) => id)
    // after the delete, which waited for all writers of these rows
    if (ids.length > 0) await takeTextsOff(tx, orgId, ids, before)
    return purged.length >= batch || purged.length < (purged[0]?.found ?? 0)
  })
}

const mostEvents = 1_000
