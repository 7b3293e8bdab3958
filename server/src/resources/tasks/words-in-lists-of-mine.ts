import type { Caller } from '../../access/caller.ts'
import { leadsAll, memberships, namesSeen } from '../../access/visibility.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList, IdList } from '../../lists/cursor-list.ts'
import { shortestWay } from '../../lists/shortest-list.ts'
import { matches } from '../../search/condition.ts'
import { foundInMine } from '../../search/finding.ts'
import type { Query } from '../../search/query.ts'
import { readingOf, withCtes } from '../../search/reading.ts'
import { rowsOf, unposted } from '../../search/rows.ts'
import { foundTasks } from '../task.ts'
import { type Filters, onRow } from './filters.ts'
import { having } from './listed.ts'
import { tasksOf, withKey } from './search.ts'

/** Tasks that have words and stand in lists. */
interface Asked {
  q: string
  query: Query
  /** the words that are whole */
  words: readonly string[]
  /** their lists, of everybody */
  ofWords: readonly IdList[]
  /** the filters beside the words, the lists that these name, and what else is asked of a row */
  wanted: Filters
  lists: readonly IdList[]
  rest: Sql | undefined
}

/** Filters that leave few tasks: what they leave is looked for words where many that the caller sees have these. */
const narrow = ['assigneeId', 'stageId', 'workspaceId', 'dueDate'] as const

/**
 * Query of such tasks, for who sees some projects. Up to 1,000 postings that it sees are looked up. Where there are more, the shortest list
 * is walked as it is for who looks for no words, or the newest postings of each project. For who sees many projects the postings of
 * everybody are such a list too, as a search for the words alone walks these then. Lists do not meet: what hidden tasks stand in
 * several would be told by the time of an answer.
 */
export function foundInListsOfMine(caller: Caller, asked: Asked): NonNullable<CursorList['found']> {
  const { q, query, words, ofWords, wanted, lists } = asked
  const isNarrow = narrow.some((name) => wanted[name] !== undefined)
  const rest = sql.all(asked.rest, ...lists.map(({ onRow }) => onRow), matches(foundTasks, query))
  return ({ columns, limit, idBound }) => {
    const besides = onRow(caller, wanted)
    const projects = onItsBoard(caller, wanted)
    const reading = { ...readingOf(foundTasks, caller, query, { limit, idBound, besides, projects }), most: undefined }
    const { read, merges, merged, walks } = foundInMine(reading, words, { place: '0', fewFirst: isNarrow })
    const bound = idBound === undefined ? undefined : sql`${idBound}::uuid`
    const inLists = (all: readonly IdList[], gate: Sql) => {
      const table = sql`tasks`
      const visible = sql`(tasks.project_id in (select mine.project_id from mine)) is true`
      const { chosen, rows } = shortestWay({
        ...{ table, orgId: caller.orgId, limit, bound, lists: all, rest, gate, visible, alone: true },
      })
      return sql`select listed.id from (with ${chosen} ${rows}) listed`
    }
    const also = withKey(caller, q)
    const found = [
      ...[read, ...(isNarrow ? [inLists(lists, merges)] : merged()), inLists([...lists, ...ofWords], walks)],
      ...[unposted(reading), ...(also ? [rowsOf(reading, also, { matching: false })] : [])],
    ].map((one) => sql`(${one})`)
    const ids = sql`${withCtes(reading)}
      select found.id from (${sql.join(found, ' union ')}) found order by found.id desc limit ${limit}`
    return tasksOf(caller, ids, columns)
  }
}

/** The lists of what stands on a board and in a stage, for who sees some projects: what others see is not looked at. */
export function onBoards(caller: Caller, { workspaceId = [], stageId = [] }: Filters): IdList[] {
  if (leadsAll(caller)) return []
  const list = (column: Sql, table: Sql, values: readonly string[]) =>
    values.length === 1 && !values.includes('none')
      ? [having(caller.orgId, sql`${namesSeen(caller, column, table, values)} and tasks.deleted_at is null`)]
      : []
  return [
    ...list(sql`tasks.workspace_id`, sql`workspaces`, workspaceId),
    ...list(sql`tasks.stage_id`, sql`stages`, stageId),
  ]
}

/** Query of `project_id`: what stands on a board is in its project, or in any that the caller sees; undefined without a board. */
function onItsBoard(caller: Caller, { workspaceId, stageId }: Filters): Sql | undefined {
  const [table, [id] = []] = stageId ? [sql`stages`, stageId] : [sql`workspaces`, workspaceId]
  if (id === undefined || id === 'none') return
  const board = sql`from ${table} where ${table}.org_id = ${caller.orgId} and ${table}.id = ${id}`
  return sql`
    ${memberships(caller)} and project_members.project_id = (select ${table}.project_id ${board})
    union all ${memberships(caller)} and exists (select ${board} and ${table}.project_id is null)`
}
