import { type Sql, sql } from '../db/sql.ts'
import type { CursorList, PageRequest } from './cursor-list.ts'
import { type FixedOrder, isSorted } from './order.ts'
import { shortestWay } from './shortest-list.ts'
import { sortedStatement } from './sorted-statement.ts'
import { walkedOrMerged } from './walked-or-merged.ts'

/** The statement of a page. */
const statementOf = (request: PageRequest, list: CursorList, columns: Sql): Sql =>
  isSorted(list.order)
    ? sortedStatement(request, { ...list, order: list.order }, columns)
    : fixedStatement(request, { ...list, order: list.order }, columns)

/**
 * Reads a page by its statement; where there is one that takes less and may find fewer rows, by that one, if it fills the page.
 * @param read sends a statement, and says how many rows it found
 */
export async function readPage<Answer>(
  request: PageRequest,
  list: CursorList,
  columns: Sql,
  read: (statement: Sql) => Promise<{ count: number; answer: Answer }>,
): Promise<Answer> {
  const limit = request.query.limit + 1
  if (list.foundFirst && !isSorted(list.order)) {
    const first = list.foundFirst({ columns, limit, idBound: positionOf(request, list.order)?.idBound })
    const { count, answer } = first ? await read(first) : { count: 0, answer: undefined }
    if (answer !== undefined && count === limit) return answer
  }
  const { answer } = await read(statementOf(request, list, columns))
  return answer
}

/** Where a page begins. */
const positionOf = ({ caller, cursors, query }: PageRequest, { list }: FixedOrder) =>
  query.cursor === undefined ? undefined : cursors.open(caller.orgId, list, query.cursor)

/** Where the projects that somebody sees are few, and have no more rows than these, these are looked at, and no list of ids. */
const fewRows = 1_000
const fewProjects = 50
const areFew = sql`(select few.are from few)`

/** So many rows are walked past where of each part as many are read for them. */
const mostOfParts = sql.literal(120)

/**
 * The statement of a page in an order whose form stays. Owners and admins walk the index of the order. Several projects that
 * are named are merged, and those of them that the caller does not see are not looked at. One that is named, and nothing else, is
 * read by an index alone: planned for all values it seems to have one row or two, and could as well be read whole and sorted.
 * For others it is walked or merged.
 */
function fixedStatement(
  request: PageRequest,
  {
    table,
    where,
    either = [where],
    sources,
    visibility,
    order,
    found,
    parts,
    listed,
  }: CursorList & { order: FixedOrder },
  columns: Sql,
): Sql {
  const { caller, query } = request
  const { keys, by, after } = order
  const position = positionOf(request, order)
  const rowsFound = found?.({ columns, limit: query.limit + 1, idBound: position?.idBound })
  if (rowsFound) return rowsFound
  const behind = position && after(position)
  const there = sql`${table}.org_id = ${caller.orgId} and ${table}.deleted_at is null`
  // one more than asked for tells whether a further row exists
  const limit = query.limit + 1
  const first = (what: Sql, most: Sql, further: Sql | undefined) => {
    if (parts) {
      const matching = sql.all(there, where, parts.within, behind, further)
      return sql`select ${what} from ${parts.each} cross join lateral (
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
  const { projects, visible, ofNamed, named } = visibility
  // what combines filters is planned for its values
  const namedAlone = where && !where.customPlan ? named : undefined
  const listing = listed && order.moment === undefined && !ofNamed && !namedAlone ? listed : undefined
  const bound = position && sql`${position.idBound}::uuid`
  const ids = listing && { ...listing, table, orgId: caller.orgId, bound, limit }
  if (ids && projects === undefined) {
    const { chosen, rows } = shortestWay({ ...ids, visible })
    return sql`with ${chosen} select ${columns} from (${rows}) ${table} order by ${by}`
  }
  // the keys of a page are found first, without filters in indexes alone, and then its rows
  const rowsOf = (page: Sql) => sql`
    select ${columns} from ${table} where ${table}.org_id = ${caller.orgId}
      and ${table}.id = any(array(select page.id from (${page}) page))
    order by ${by}`
  const merged = (matching: Sql, condition = sql`true`) => sql`
    select ${keys} from mine cross join lateral (
      select ${keys} from ${table} where ${sql.all(matching, sql`${table}.project_id = mine.project_id`)}
      order by ${by} limit ${limit}) ${table}
    where ${condition} order by ${by} limit ${limit}`
  const only = ofNamed ? projects : namedAlone
  if (only) {
    return sql`
      with mine as materialized (${only})
      ${rowsOf(merged(sql.all(there, where, behind)))}`
  }
  if (projects === undefined)
    return parts ? rowsOf(first(keys, sql`${limit}`, visible)) : first(columns, sql`${limit}`, visible)
  if (ids) {
    const seen = sql`${table}.project_id in (select mine.project_id from mine)`
    const { chosen, rows } = shortestWay({ ...ids, visible: sql`(${seen}) is true`, gate: sql`not ${areFew}` })
    const onRow = sql.all(there, behind, ids.rest, ...ids.lists.map((list) => list.onRow))
    return sql`
      with mine as materialized (${projects}),
        few as materialized (
          select case when (select count(*) from mine) > ${fewProjects} then false
            else (select coalesce(sum(${ids.rowsIn(sql`mine.project_id`)}), 0) <= ${fewRows} from mine) end as are),
        ${chosen}
      ${rowsOf(sql`
        select ${keys} from (${rows}) ${table}
        union all
        (${merged(onRow, areFew)})`)}`
  }
  // as in the orders by `sort`: else another index that holds what is asked for could be read from end to end
  const looked = where && !parts && sql`${table}.version > 0`
  // `is true` hides the filters from the planner, so that it walks the index of the project and not one of the filters
  const hidden = where && sql`(${where}) is true`
  return walkedOrMerged({
    projects,
    limit,
    filtered: where !== undefined,
    ...(parts && { mostWalked: mostOfParts }),
    // the limit of the walk ends it at once without projects, but not a CTE
    nearest: (most) =>
      first(sql`${keys}, ${table}.project_id`, most, where && sql.all(looked, sql`exists (select from mine)`)),
    keys,
    table,
    by,
    merged: (condition) => merged(sql.all(there, behind, hidden), condition),
    rowsOf,
  })
}
