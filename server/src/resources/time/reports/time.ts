import { z } from 'zod'
import { type Caller, everyone } from '../../../access/caller.ts'
import { visibilityOf } from '../../../access/visibility.ts'
import { invalid } from '../../../contract/errors.ts'
import { words } from '../../../contract/fields.ts'
import type { Db } from '../../../db/db.ts'
import { normalizeText } from '../../../db/normalize-text.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { route } from '../../../operations/route.ts'
import { stretches } from '../../reports/calendar.ts'
import { toCsv } from '../../reports/csv.ts'
import { filters, matching } from '../filters.ts'
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
const Query = z.strictObject({ groupBy, ...filters })
type Query = z.output<typeof Query>

export const reports = [
  route('GET /reports/time', {
    summary: 'Sum up time by up to three groupings, as JSON or (Accept: text/csv) CSV',
    description:
      'Days, weeks and months are those of the time zone of the organization; an entry belongs to the one it began in.',
    roles: everyone,
    query: Query,
    returns: TimeReport,
    csv: (report: TimeReport) => toCsv(report),
    async handle({ db, caller, query, now }) {
      const wanted = query.groupBy
      const there = sql`time_entries.org_id = ${caller.orgId} and time_entries.deleted_at is null`
      const { visible } = visibilityOf(caller, sql`time_entries`, query.projectId)
      const matches = sql.all(there, matching(caller, query), visible)
      const rows = await summed(db, caller, query, sql.customPlan(matches), now)
      if (rows.length > mostGroups) throw invalid({}, [`There are more than ${mostGroups} groups; narrow the filters`])
      return {
        groupBy: wanted,
        data: ordered(rows).map((row) => shown(row, wanted)),
        totals: inSeconds(rows[0]?.total ?? nothing),
      }
    },
  }),
]

interface Time {
  ms: number
  billableMs: number
  entries: number
}

interface Row extends Time {
  keys: (string | null)[]
  names: (string | null)[]
  total: Time
}

const nothing: Time = { ms: 0, billableMs: 0, entries: 0 }

/**
 * The groups from one statement, which sums up by what entries have in common first and names the groups only then. The
 * sums are materialized, else the limit on groups would make the planner look for the first of them, at any price. The
 * total is that of the sums: an entry of several tags is in one of them, though in several groups.
 */
function summed(db: Db, { orgId }: Caller, query: Query, matches: Sql, now: string): Promise<Row[]> {
  const groupings = query.groupBy.map(grouping)
  const keys = [sql`key1`, sql`key2`, sql`key3`].slice(0, groupings.length)
  const list = (pieces: Sql[]) => sql.join(pieces, ', ')
  // two groupings may need the same of the entry, and the same tables
  const common = list([...new Set(groupings.flatMap(({ of }) => of))])
  const tables = (all: ((orgId: string) => Sql)[]) =>
    sql.join(
      [...new Set(all)].map((table) => table(orgId)),
      ' ',
    )
  const dated = groupings.flatMap(({ shows }) => (shows ? [sql`${shows(orgId, sql`starts`)}::text`] : []))
  return db.rows<Row>(sql`
    with recursive ${dated.length > 0 ? sql`${stretches(orgId, dated, query)},` : sql.empty} sums as materialized (
      select ${common}, ${sums(now)} from time_entries ${tables(groupings.flatMap(({ beside = [] }) => beside))}
      where ${matches} group by ${common})
    select array[${list(keys.map((key) => sql`${key}::text`))}] as keys,
      array[${list(groupings.map(({ name }, i) => name(orgId, keys[i] ?? sql.empty)))}] as names,
      ms, billable_ms as "billableMs", entries, (
        select json_build_object('ms', sum(ms), 'billableMs', sum(billable_ms), 'entries', sum(entries)) from sums
      ) as total
    from (
      select ${list(groupings.map(({ key }, i) => sql`${key(orgId)} as ${keys[i]}`))}, sum(sums.ms)::bigint as ms,
        sum(sums.billable_ms)::bigint as billable_ms, sum(sums.entries)::int as entries
      from sums ${tables(groupings.flatMap(({ behind = [] }) => behind))}
      group by ${list(keys)} limit ${mostGroups + 1}) groups`)
}

/** As people read them: by name, without case and accents, none last; then by id. */
function ordered(rows: readonly Row[]): Row[] {
  const marked = rows.map((row) => ({
    row,
    marks: [...row.names.map((name) => name && normalizeText(name)), ...row.keys],
  }))
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

const inSeconds = ({ ms, billableMs, entries }: Time) => ({
  seconds: Math.floor(ms / 1_000),
  billableSeconds: Math.floor(billableMs / 1_000),
  entries,
})
