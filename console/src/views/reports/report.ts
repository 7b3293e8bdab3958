import { tw } from '../../session/session.ts'
import { type Group, type ReportQuery, tasksQuery, timeQuery } from './report-query.ts'

/** A measure: its name and its format. */
export interface Measure {
  name:
    | 'seconds'
    | 'billableSeconds'
    | 'entries'
    | 'open'
    | 'completed'
    | 'overdue'
    | 'estimatedSeconds'
    | 'trackedSeconds'
    | 'medianDaysToCompletion'
  kind: 'time' | 'count' | 'days'
}

type Sums = Readonly<Partial<Record<Measure['name'], number | null>>>

/** A line: the names of its groups, in order, and its sums. */
export interface Line {
  id: string
  group: readonly { id: string | null; name: string | null }[]
  sums: Sums
  /** the length of the bar, and of its darker part */
  bar: number
  part: number
}

/** A report for display. */
export interface Report {
  by: readonly Group[]
  measures: readonly Measure[]
  lines: readonly Line[]
  totals: Sums
}

const timeMeasures = [
  { name: 'seconds', kind: 'time' },
  { name: 'billableSeconds', kind: 'time' },
  { name: 'entries', kind: 'count' },
] as const

const taskMeasures = [
  { name: 'open', kind: 'count' },
  { name: 'completed', kind: 'count' },
  { name: 'overdue', kind: 'count' },
  { name: 'estimatedSeconds', kind: 'time' },
  { name: 'trackedSeconds', kind: 'time' },
  { name: 'medianDaysToCompletion', kind: 'days' },
] as const

/** Reads the report that the address selects. */
export async function readReport(wanted: ReportQuery, signal: AbortSignal): Promise<Report> {
  const { by } = wanted
  if (wanted.kind === 'time') {
    const { data, totals } = await tw().reports.time(timeQuery(wanted), { signal })
    const lines = data.map(({ group, ...sums }) => {
      return { ...lineOf(by, group), sums, bar: sums.seconds, part: sums.billableSeconds }
    })
    return { by, measures: timeMeasures, lines, totals }
  }
  const { data, totals } = await tw().reports.tasks(tasksQuery(wanted), { signal })
  const lines = data.map(({ group, ...sums }) => {
    return { ...lineOf(by, group), sums, bar: sums.open + sums.completed, part: sums.completed }
  })
  return { by, measures: taskMeasures, lines, totals }
}

/** Reads the same report as CSV from the server. */
export async function readCsv(wanted: ReportQuery): Promise<string> {
  const query = wanted.kind === 'time' ? timeQuery(wanted) : tasksQuery(wanted)
  return String(await tw().request('GET', `/reports/${wanted.kind}`, { query, accept: 'text/csv' }))
}

type Groups = Partial<Record<string, { id: string | null; name: string | null }>>

function lineOf(by: readonly Group[], groups: Groups) {
  const group = by.map((name) => groups[name] ?? { id: null, name: null })
  return { id: group.map(({ id }) => id).join(' '), group }
}

/**
 * Sorts lines.
 * @param sort a measure or a group, with - for descending; otherwise the server's order, by name
 */
export function sorted({ lines, by, measures }: Report, sort: string): readonly Line[] {
  const isDown = sort.startsWith('-')
  const name = sort.replace(/^-/, '')
  const measure = measures.find((each) => each.name === name)?.name
  const place = by.indexOf(name as Group)
  if (measure) {
    // missing values come last in both directions
    const value = ({ sums }: Line) => sums[measure] ?? (isDown ? -1 : Number.POSITIVE_INFINITY)
    return lines.toSorted((one, other) => (isDown ? value(other) - value(one) : value(one) - value(other)))
  }
  if (place < 0) return lines
  const text = ({ group }: Line) => group[place]?.name ?? '\uffff'
  const inOrder = lines.toSorted((one, other) => compare(text(one), text(other)))
  return isDown ? inOrder.toReversed() : inOrder
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
