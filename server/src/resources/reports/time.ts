import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { invalid } from '../../http/errors.ts'
import { words } from '../../http/fields.ts'
import { type Caller, everyone, route } from '../../http/route.ts'
import { filters, matching } from '../time-entries/filters.ts'
import { toCsv } from './csv.ts'
import { beside, type Dimension, dimensions, grouping } from './dimensions.ts'

const mostGroups = 10_000

const Sums = {
  seconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: 'What runs counts so far.' }),
  billableSeconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  entries: z.int().min(0).max(2_147_483_647),
}

const Dimensions = z.enum(Object.keys(dimensions) as [Dimension, ...Dimension[]])
const label = z.string().max(255).meta({ pattern: '^[\\s\\S]*$' })

/** Time, summed up by group. */
export const TimeReport = z
  .strictObject({
    groupBy: z.array(Dimensions).max(3),
    data: z
      .array(
        z.strictObject({
          group: z.partialRecord(Dimensions, z.strictObject({ id: label.nullable(), name: label.nullable() })).meta({
            description: 'For each of groupBy: what the group stands for; nulls: none.',
            examples: [{ month: { id: '2026-01', name: '2026-01' } }],
          }),
          ...Sums,
        }),
      )
      .max(mostGroups),
    totals: z.strictObject(Sums).meta({ description: 'Each entry once, also when it is in several groups by tag.' }),
  })
  .meta({ id: 'TimeReport', description: 'Time, summed up by group.' })
type TimeReport = z.output<typeof TimeReport>

const groupBy = words(Dimensions.options, 3).meta({ examples: ['project,month'] })

export const reports = [
  route('GET /reports/time', {
    summary: 'Sum up time by up to three groupings, as JSON or (Accept: text/csv) CSV',
    description:
      'Days, weeks and months are those of the time zone of the organization; an entry belongs to the one it began in.',
    roles: everyone,
    query: z.strictObject({ groupBy, ...filters }),
    returns: TimeReport,
    csv: (report: TimeReport) => toCsv(report),
    async handle({ db, caller, query, now }) {
      const wanted = query.groupBy
      const rows = await summed(db, caller, wanted, matching(caller, query), now)
      if (rows.length > mostGroups) throw invalid({}, [`There are more than ${mostGroups} groups; narrow the filters`])
      return { groupBy: wanted, data: rows.map((row) => shown(row, wanted)), totals: totalOf(rows) }
    },
  }),
]

interface Row {
  keys: (string | null)[]
  names: (string | null)[]
  ms: number
  billableMs: number
  entries: number
  total: { ms: number; billableMs: number; entries: number } | null
}

/**
 * The groups from one statement, which sums up by columns of the entry first and looks at other tables only then. The sum
 * of the groups is the total, but for tags, of which an entry can bear several: then the total comes along.
 */
function summed(db: Db, { orgId }: Caller, wanted: readonly Dimension[], matches: Sql, now: string): Promise<Row[]> {
  const groupings = wanted.map(grouping)
  const keys = [sql`key1`, sql`key2`, sql`key3`].slice(0, wanted.length)
  const list = (pieces: Sql[]) => sql.join(pieces, ', ')
  // two groupings may need the same column of the entry, and the same tables beside it
  const columns = list([...new Map(groupings.flatMap(({ of }) => of).map((column) => [column.text, column])).values()])
  const tables = new Map(groupings.flatMap(({ from }) => (from ? [[from, from(orgId)]] : [])))
  const byTag = wanted.includes('tag')
  const labels = sql`
    left join time_entry_tags labels on labels.org_id = ${orgId} and labels.time_entry_id = time_entries.id`
  const total = byTag
    ? sql`(select json_build_object('ms', ms, 'billableMs', billable_ms, 'entries', entries) from (
        select ${sums(now)} from time_entries where ${matches}) total)`
    : sql`null::json`
  return db.rows<Row>(sql`
    select array[${list(keys.map((key) => sql`${key}::text`))}] as keys,
      array[${list(groupings.map(({ name }, i) => name(orgId, keys[i] ?? sql.empty)))}] as names,
      ms, billable_ms as "billableMs", entries, ${total} as total
    from (
      select ${list(groupings.map(({ key }, i) => sql`${key(orgId)} as ${keys[i]}`))}, sum(entries.ms)::bigint as ms,
        sum(entries.billable_ms)::bigint as billable_ms, sum(entries.entries)::int as entries
      from (
        select ${columns}, ${sums(now)}
        from time_entries ${beside} ${byTag ? labels : sql.empty}
        where ${matches} group by ${columns}) entries ${sql.join([...tables.values()], ' ')}
      group by ${list(keys)} limit ${mostGroups + 1}) groups
    order by names, keys`)
}

/** What runs has taken as long as it ran until now. */
function sums(now: string): Sql {
  const ms = sql`coalesce(time_entries.duration_ms,
    greatest((extract(epoch from ${now}::timestamptz - time_entries.started_at) * 1000)::bigint, 0))`
  return sql`coalesce(sum(${ms}), 0)::bigint as ms,
    coalesce(sum(${ms}) filter (where time_entries.billable), 0)::bigint as billable_ms, count(*)::int as entries`
}

function shown({ keys, names, ms, billableMs, entries }: Row, wanted: readonly Dimension[]) {
  const group = wanted.map((name, i) => [name, { id: keys[i] ?? null, name: names[i] ?? null }])
  return { group: Object.fromEntries(group), ...inSeconds({ ms, billableMs, entries }) }
}

function totalOf(rows: readonly Row[]) {
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0)
  const [first] = rows
  if (first?.total) return inSeconds(first.total)
  return inSeconds({
    ms: sum((row) => row.ms),
    billableMs: sum((row) => row.billableMs),
    entries: sum((row) => row.entries),
  })
}

const inSeconds = ({ ms, billableMs, entries }: { ms: number; billableMs: number; entries: number }) => ({
  seconds: Math.floor(ms / 1_000),
  billableSeconds: Math.floor(billableMs / 1_000),
  entries,
})
