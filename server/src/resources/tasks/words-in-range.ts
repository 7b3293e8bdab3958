import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/cursor-list.ts'
import { isSorted, type Order } from '../../lists/order.ts'
import { foundInMine } from '../../search/finding.ts'
import { intersection, seldomest } from '../../search/intersection.ts'
import { nearest } from '../../search/nearest.ts'
import { parsed, wordsOf } from '../../search/query.ts'
import { between, cte, type Reading, readingOf, withCtes } from '../../search/reading.ts'
import { rowsOf, unposted } from '../../search/rows.ts'
import { foundTasks } from '../task.ts'
import { isDue, isDueRange, slicesDue } from './due-range.ts'
import { boundsOfIds, type Filters, onRow } from './filters.ts'
import { tasksOf, withKey } from './search.ts'

/** So many of each slice tell how many tasks are due in the range, near where the first of them is. */
const counted = 25

/** What is due is read, and looked up in the postings, where so many times as many tasks have the word; else the other way. */
const denser = 4

/** Of each slice so many are read for that at first. */
const dueAtFirst = 300

/**
 * What finds tasks by their words that are due in a range, by one plan for all values. The words are looked for from the newest task on that is due then, which
 * may be far back. Where many more tasks have the words than are due, those that are due are looked at instead. Undefined for
 * other filters, without a word that is whole, and in another order.
 */
export function foundInRange(
  caller: Caller,
  { q = '', ...wanted }: Filters,
  order: Order,
): Pick<CursorList, 'found' | 'where'> | undefined {
  const { projectId: within, ...others } = wanted
  const query = parsed(q)
  const words = query.flatMap((terms) => wordsOf(terms).whole)
  if (query.length !== 1 || words.length === 0 || isSorted(order) || !isDueRange(others)) return undefined
  // what is due after a day is mostly what is newest
  if (others.dueBefore === undefined) return undefined
  return {
    where: undefined,
    found({ columns, limit, idBound }) {
      const bounds = boundsOfIds(idBound, wanted)
      const besides = onRow(caller, others)
      const asked = readingOf(foundTasks, caller, query, { limit, ...bounds, within, besides })
      const due = dueNear(asked, caller, others)
      // as far as it takes, and not among some hundreds
      const reading = { ...asked, most: undefined, wanted: { ...asked.wanted, idUpTo: due.newest } }
      const also = withKey(caller, q)
      const found = sql.join(
        [
          ...byWordsOrDue(reading, words, due),
          unposted(reading),
          ...(also ? [rowsOf(reading, also, { matching: false })] : []),
        ].map((stream) => sql`(${stream})`),
        ' union ',
      )
      const ids = sql`${withCtes(reading)} select found.id from (${found}) found order by found.id desc limit ${limit}`
      return tasksOf(caller, ids, columns)
    },
  }
}

const ofNobody = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** What is due in the range. */
interface DueNear {
  /** name of a query with a row for each slice */
  slices: Sql
  /** condition: a task, by the name of postings, is in the slice, and seen */
  inSlice: Sql
  /** SQL: the id of the newest */
  newest: Sql
  /** SQL: so many are no older than `since` */
  count: Sql
  since: Sql
}

function dueNear(reading: Reading, caller: Caller, range: Filters): DueNear {
  const { each, isIn } = slicesDue(caller, range)
  const slices = cte(reading, 'due', sql`select * from ${each}`)
  const inSlice = sql.all(
    sql`postings.org_id = ${caller.orgId} and ${isIn(sql`postings`)}`,
    isDue(sql`postings`, range),
    // hidden from the planner, which could read these projects by it
    reading.ofProjects && sql`(postings.project_id in (select mine.project_id from mine)) is true`,
    between(reading, sql`postings.id`),
  )
  const near = cte(
    reading,
    'due_near',
    sql`select first.id, first.is_last from ${slices} cross join lateral (
      select postings.id, row_number() over (order by postings.id desc) = ${sql.literal(counted)} as is_last
      from tasks postings where ${inSlice} order by postings.id desc limit ${sql.literal(counted)}) first`,
  )
  const last = sql`(select ${near}.id from ${near} where ${near}.is_last order by ${near}.id desc limit 1)`
  const start = cte(
    reading,
    'due_start',
    // where no slice has so many, they are all that is due
    sql`select (select ${near}.id from ${near} order by ${near}.id desc limit 1) as newest,
      coalesce(${last}, ${ofNobody}) as since`,
  )
  const [newest, since] = [sql`(select ${start}.newest from ${start})`, sql`(select ${start}.since from ${start})`]
  const count = sql`(select count(*) from ${near} where ${near}.id >= ${since})`
  return { slices, inSlice, newest, count, since }
}

/** Queries of ids. */
function byWordsOrDue(reading: Reading, words: readonly string[], { slices, inSlice, count, since }: DueNear): Sql[] {
  const mine = reading.ofProjects ? foundInMine(reading, words, { place: '0' }) : undefined
  const [first = ''] = words
  const word = words.length > 1 ? seldomest({ ...reading, ofProjects: false }, words, 'all') : sql`${first}::text`
  const most = sql`${count} * ${sql.literal(denser)}`
  const isDense = sql`(select count(*) from (
    select from postings where ${reading.posted.newestOf(word)} and postings.id >= ${since}
      and ${between(reading, sql`postings.id`)} limit ${most} + 1) those) > ${most}`
  const turn = cte(
    reading,
    'turn_due',
    sql`select ${mine ? sql`case when ${mine.walks} then ${isDense} end` : isDense} as goes`,
  )
  const [byDue, byWords] = [sql`(select ${turn}.goes from ${turn})`, sql`not (select ${turn}.goes from ${turn})`]
  return [
    ...(mine ? [mine.read, ...mine.merged()] : []),
    ...intersection(reading, words, 'words', byWords),
    ...nearest(reading, {
      ...{ name: 'due', groups: slices, from: sql`tasks postings`, atFirst: dueAtFirst },
      ...{ inGroup: inSlice, held: reading.posted.withAll(words), when: byDue },
    }),
  ]
}
