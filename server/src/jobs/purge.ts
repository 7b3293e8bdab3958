import { restorableMs } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Declared } from '../db/table.ts'
import { isDetachable } from '../resources/detaching/referrers.ts'
import { tables } from '../resources/index.ts'
import type { Job, Run } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'
import { takeTextsOff } from './purged-texts.ts'

/** Deletes for good what can no longer be restored, and keys that open nothing for as long. */
export const purging: Job = { name: 'purge', everyMs: 60_000, run: (run) => purge(run) }

interface Deletable {
  table: Sql
  /** since when it is as good as gone */
  goneSince: (row: Sql) => Sql
  /** tables whose rows only join it to others, by the column that names it: they go with it */
  joins: [table: Sql, column: Sql][]
  /** tables that may still refer to it, by column: then it stays for another time */
  referrers: [table: Sql, column: Sql][]
  /** goes with its project, which has no mark for what is in it */
  inProject: boolean
  /** whether it is projects */
  holdsOthers: boolean
}

// what refers to others goes before them
const deletables = tables.toReversed().flatMap((declared): Deletable[] => {
  const { name, table, refersTo, joins, goneSince } = declared
  if (goneSince === 'never') return []
  const own = Object.entries(joins).flatMap(([join, columns]) => naming(name, sql.named(join), columns))
  const inProject = refersTo.projectId === 'projects'
  const holdsOthers = name === 'projects'
  return [{ table, goneSince, joins: own, referrers: referrersOf(declared), inProject, holdsOthers }]
})

function referrersOf({ name, noun }: Declared): [table: Sql, column: Sql][] {
  const rows = tables.flatMap(({ table, refersTo }) => naming(name, table, refersTo))
  const others = tables.filter((table) => table.name !== name).flatMap(({ joins }) => Object.entries(joins))
  const joining = others.flatMap(([join, columns]) => naming(name, sql.named(join), columns))
  // what is being taken off is asked for until it is
  const detachments: [Sql, Sql][] = isDetachable(noun) ? [[sql`detachments`, sql`id`]] : []
  return [...detachments, ...rows, ...joining]
}

/** The columns of a table that name rows of another one. */
function naming(other: string, table: Sql, columns: Record<string, string>): [table: Sql, column: Sql][] {
  const found = Object.keys(columns).filter((column) => columns[column] === other)
  return found.map((column) => [table, sql.named(column)])
}

/** For a restore that began in time to end, on a machine whose clock is behind too. */
const graceMs = 3_600_000

/**
 * Deletes for good what can no longer be restored: what was deleted by itself, and what is in a deleted project, which is
 * invisible without a mark of its own.
 * @param batch rows of an organization at a time
 */
export async function purge({ db, now, inEach }: Run, batch = 500): Promise<void> {
  const before = new Date(now.getTime() - restorableMs - graceMs).toISOString()
  const due = await dueBefore(db, before)
  await inEach(due.keys(), async (orgId) => {
    // what others may refer to comes when none of these is left
    for (const deletable of due.get(orgId) ?? []) if (await purgeBatch(db, orgId, deletable, before, batch)) return true
    return false
  })
}

/** By organization, what it may have to purge: of very many with little to do, each is asked for nothing else. */
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
  // what its own kind refers to may stay for years, and is nothing to do
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
  // asked of each row by itself (hence offset 0), as a batch has few
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
  // so many that the texts of all can be taken off their events, of which one may have very many
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
    // behind it, as who still wrote to one of them was waited for
    if (ids.length > 0) await takeTextsOff(tx, orgId, ids, before)
    return purged.length >= batch || purged.length < (purged[0]?.found ?? 0)
  })
}

const mostEvents = 1_000
