import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { invalid } from '../../http/errors.ts'
import { fold, words } from '../../http/fields.ts'
import { type Caller, everyone, route } from '../../http/route.ts'
import { sightOf } from '../access.ts'
import { filters, matching } from '../time-entries/filters.ts'
import { toCsv } from './csv.ts'
import { type Dimension, dimensions, grouping } from './dimensions.ts'
import { sums } from './sums.ts'

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
      const matches = sql.all(matching(caller, query), sightOf(caller, sql`time_entries`).visible)
      const rows = await summed(db, caller, wanted, sql.anew(matches), now)
      if (rows.length > mostGroups) throw invalid({}, [`There are more than ${mostGroups} groups; narrow the filters`])
      return { groupBy: wanted, data: ordered(rows).map((row) => shown(row, wanted)), totals: totalOf(rows) }
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
 * The groups from one statement, which sums up by what entries have in common first and names the groups only then. The
 * sums are materialized, else the limit on groups would make the planner look for the first of them, at any price. The sum
 * of the groups is the total, but for tags, of which an entry can bear several: then the total comes along.
 */
function summed(db: Db, { orgId }: Caller, wanted: readonly Dimension[], matches: Sql, now: string): Promise<Row[]> {
  const groupings = wanted.map(grouping)
  const keys = [sql`key1`, sql`key2`, sql`key3`].slice(0, wanted.length)
  const list = (pieces: Sql[]) => sql.join(pieces, ', ')
  // two groupings may need the same of the entry, and the same tables beside it
  const common = [...new Set(groupings.map(({ of }) => of))]
  const beside = [...new Set(groupings.flatMap(({ beside: tables = [] }) => tables))].map((table) => table(orgId))
  const total = wanted.includes('tag')
    ? sql`(select json_build_object('ms', ms, 'billableMs', billable_ms, 'entries', entries) from (
        select ${sums(now)} from time_entries where ${matches}) total)`
    : sql`null::json`
  return db.rows<Row>(sql`
    select array[${list(keys.map((key) => sql`${key}::text`))}] as keys,
      array[${list(groupings.map(({ name }, i) => name(orgId, keys[i] ?? sql.empty)))}] as names,
      ms, billable_ms as "billableMs", entries, ${total} as total
    from (
      with entries as materialized (
        select ${list(common)}, ${sums(now)} from time_entries ${sql.join(beside, ' ')}
        where ${matches} group by ${list(places.slice(0, common.length))})
      select ${list(groupings.map(({ key }, i) => sql`${key(orgId)} as ${keys[i]}`))}, sum(entries.ms)::bigint as ms,
        sum(entries.billable_ms)::bigint as billable_ms, sum(entries.entries)::int as entries
      from entries group by ${list(keys)} limit ${mostGroups + 1}) groups`)
}

const places = [sql`1`, sql`2`, sql`3`]

/** As people read them: by name, without case and accents, none last; then by id. */
function ordered(rows: readonly Row[]): Row[] {
  const marked = rows.map((row) => ({ row, marks: [...row.names.map((name) => name && fold(name)), ...row.keys] }))
  const compare = (a: string | null, b: string | null) =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1
  return marked
    .sort((a, b) => a.marks.map((mark, i) => compare(mark, b.marks[i] ?? null)).find((order) => order !== 0) ?? 0)
    .map(({ row }) => row)
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
