import { type Sql, sql } from '../db/sql.ts'
import type { CursorList, Listed, PageRequest } from './cursor-list.ts'
import type { FixedOrder } from './order.ts'
import { shortestWay } from './shortest-list.ts'
import { walkedOrMerged } from './walked-or-merged.ts'

/** A list in an order that is fixed. */
type FixedList = CursorList & { order: FixedOrder }

/** A page that is looked for. */
interface Page {
  list: FixedList
  orgId: string
  columns: Sql
  /** one more than asked for tells whether a further row exists */
  limit: number
  /** condition: the row is of the organization, and not deleted */
  there: Sql
  /** condition: it stands behind where the page begins; absent on the first page */
  behind: Sql | undefined
  /** the id that those of the page are less than */
  bound: Sql | undefined
}

/** Where a page begins. */
const positionOf = ({ caller, cursors, query }: PageRequest, { list }: FixedOrder) =>
  query.cursor === undefined ? undefined : cursors.open(caller.orgId, list, query.cursor)

/**
 * The statement of a page in an order that is fixed. Owners and admins walk the index of the order. Several projects that
 * are named are merged, and those of them that the caller does not see are not looked at. One that is named, and nothing else, is
 * read by an index alone: planned for all values it seems to have one row or two, and could as well be read whole and sorted.
 * For others it is walked or merged.
 */
export function fixedStatement(request: PageRequest, list: FixedList, columns: Sql): Sql {
  const { table, where, order, slices } = list
  const { orgId } = request.caller
  const position = positionOf(request, order)
  const limit = request.query.limit + 1
  const rowsFound = list.found?.({ columns, limit, idBound: position?.idBound })
  if (rowsFound) return rowsFound
  const there = sql`${table}.org_id = ${orgId} and ${table}.deleted_at is null`
  const behind = position && order.after(position)
  const page = { list, orgId, columns, limit, there, behind, bound: position && sql`${position.idBound}::uuid` }
  const { projects, visible, ofNamed, named } = list.visibility
  // what combines filters is planned for its values
  const namedAlone = where && !where.customPlan ? named : undefined
  const listed = list.listed && order.moment === undefined && !ofNamed && !namedAlone ? list.listed : undefined
  if (listed && projects === undefined) return inLists(page, listed, visible)
  const only = ofNamed ? projects : namedAlone
  if (only) {
    return sql`
      with mine as materialized (${only})
      ${rowsOf(page, merged(page, sql.all(there, where, behind)))}`
  }
  if (projects !== undefined) return listed ? inListsOfMine(page, listed, projects) : inMine(page, projects)
  return slices
    ? rowsOf(page, first(page, order.keys, sql`${limit}`, visible))
    : first(page, columns, sql`${limit}`, visible)
}

/** The first matching rows, so many, in order. @param what of them is wanted @param further condition */
function first({ list, there, behind }: Page, what: Sql, most: Sql, further: Sql | undefined): Sql {
  const { table, where, either = [where], sources, slices, order } = list
  const { by } = order
  if (slices) {
    const matching = sql.all(there, where, slices.within, behind, further)
    return sql`select ${what} from ${slices.each} cross join lateral (
        select ${what} from ${table} where ${matching} order by ${by} limit ${most}) ${table} order by ${by} limit ${most}`
  }
  const walks = either.map(
    (condition, i) =>
      sql`from ${sources?.[i] ?? table} where ${sql.all(there, condition, behind, further)} order by ${by} limit ${most}`,
  )
  if (walks.length === 1) return sql`select ${what} ${sql.join(walks, '')}`
  const all = walks.map((rows) => sql`(select * ${rows})`)
  return sql`select ${what} from (${sql.join(all, ' union all ')}) ${table} order by ${by} limit ${most}`
}

/** The rows of the page with these keys, which are found first, without filters in indexes alone. */
const rowsOf = ({ list: { table, order }, orgId, columns }: Page, keys: Sql): Sql => sql`
    select ${columns} from ${table} where ${table}.org_id = ${orgId}
      and ${table}.id = any(array(select page.id from (${keys}) page))
    order by ${order.by}`

/** The keys of the first rows that match, of all projects in `mine`; none where the condition does not hold. */
function merged({ list, limit }: Page, matching: Sql, condition = sql`true`): Sql {
  const { table, order } = list
  const { keys, by } = order
  return sql`
    select ${keys} from mine cross join lateral (
      select ${keys} from ${table} where ${sql.all(matching, sql`${table}.project_id = mine.project_id`)}
      order by ${by} limit ${limit}) ${table}
    where ${condition} order by ${by} limit ${limit}`
}

/** The page by lists of ids, for who sees all projects. */
function inLists({ list, orgId, columns, limit, bound }: Page, listed: Listed, visible: Sql): Sql {
  const { table, order } = list
  const { chosen, rows } = shortestWay({ ...listed, table, orgId, bound, limit, visible })
  return sql`with ${chosen} select ${columns} from (${rows}) ${table} order by ${order.by}`
}

/** The same for who sees some: where these are few, and have few rows, they are merged. */
function inListsOfMine(page: Page, listed: Listed, projects: Sql): Sql {
  const { list, orgId, limit, there, behind, bound } = page
  const { table, order } = list
  const seen = sql`${table}.project_id in (select mine.project_id from mine)`
  const walk = { ...listed, table, orgId, bound, limit, visible: sql`(${seen}) is true`, gate: sql`not ${areFew}` }
  const { chosen, rows } = shortestWay(walk)
  const onRow = sql.all(there, behind, listed.rest, ...listed.lists.map((ids) => ids.onRow))
  return sql`
      with mine as materialized (${projects}),
        few as materialized (
          select case when (select count(*) from mine) > ${fewProjects} then false
            else (select coalesce(sum(${listed.rowsIn(sql`mine.project_id`)}), 0) <= ${fewRows} from mine) end as are),
        ${chosen}
      ${rowsOf(
        page,
        sql`
        select ${order.keys} from (${rows}) ${table}
        union all
        (${merged(page, onRow, areFew)})`,
      )}`
}

const areFew = sql`(select few.are from few)`
const fewRows = 1_000
const fewProjects = 50

/** The page for who sees some projects, without lists of ids. */
function inMine(page: Page, projects: Sql): Sql {
  const { list, limit, there, behind } = page
  const { table, where, slices, order } = list
  const { keys, by } = order
  // as in the orders by `sort`: else another index that holds what is asked for could be read from end to end
  const looked = where && !slices && sql`${table}.version > 0`
  // `is true` hides the filters from the planner, so that it walks the index of the project and not one of the filters
  const hidden = where && sql`(${where}) is true`
  return walkedOrMerged({
    projects,
    limit,
    filtered: where !== undefined,
    ...(slices && { mostWalked: mostOfSlices }),
    // the limit of the walk ends it at once without projects, but not a CTE
    nearest: (most) =>
      first(page, sql`${keys}, ${table}.project_id`, most, where && sql.all(looked, sql`exists (select from mine)`)),
    keys,
    table,
    by,
    merged: (condition) => merged(page, sql.all(there, behind, hidden), condition),
    rowsOf: (keysOfPage) => rowsOf(page, keysOfPage),
  })
}

/** So many rows are walked past where of each slice as many are read for them. */
const mostOfSlices = sql.literal(120)
