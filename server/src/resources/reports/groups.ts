import { z } from 'zod'
import { invalid } from '../../contract/errors.ts'
import { normalizeText } from '../../db/normalize-text.ts'

/** A report with more groups is refused. The statement reads one more group to detect that. */
export const mostGroups = 10_000

const label = z.string().max(255).meta({ pattern: '^[\\s\\S]*$' })

interface GroupLabel {
  id: string
  description: string
  /** an example of a group */
  group: object
  /** the description of the totals: how they count a row that is in several groups */
  totals: string
}

/** The response of a report: sums by group, and in total. */
export const reportOf = <const Name extends string, Sums extends z.core.$ZodLooseShape>(
  names: readonly [Name, ...Name[]],
  sums: Sums,
  { id, description, group, totals }: GroupLabel,
) => {
  const Dimensions = z.enum(names)
  return z
    .strictObject({
      groupBy: z.array(Dimensions).max(3),
      data: z
        .array(
          z.strictObject({
            group: z.partialRecord(Dimensions, z.strictObject({ id: label.nullable(), name: label.nullable() })).meta({
              description: 'The value of each dimension in `groupBy`. `id` and `name` are null if there is none.',
              examples: [group],
            }),
            ...sums,
          }),
        )
        .max(mostGroups),
      totals: z.strictObject(sums).meta({ description: totals }),
    })
    .meta({ id, description })
}

/** A group as the statement returns it. */
export interface GroupRow {
  keys: (string | null)[]
  names: (string | null)[]
}

/**
 * The groups in order, with their ids and names.
 * @throws 422 when there are too many
 */
export function groupsOf<Row extends GroupRow, Name extends string, Sums extends object>(
  rows: readonly Row[],
  wanted: readonly Name[],
  sumsOf: (row: Row) => Sums,
) {
  if (rows.length > mostGroups) throw invalid({}, [`There are more than ${mostGroups} groups; use narrower filters`])
  return ordered(rows).map((row) => {
    const group = wanted.map((name, i) => [name, { id: row.keys[i] ?? null, name: row.names[i] ?? null }] as const)
    return { group: Object.fromEntries(group) as Group<Name>, ...sumsOf(row) }
  })
}

type Group<Name extends string> = { [name in Name]?: { id: string | null; name: string | null } }

/** In the order for people: by name, without case and accents, no name last; then by id. */
function ordered<Row extends GroupRow>(rows: readonly Row[]): Row[] {
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
