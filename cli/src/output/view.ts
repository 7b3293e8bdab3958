import { shapes } from '../generated/operations.ts'
import type { Operation } from '../operations/operation.ts'
import { WrongUse } from '../problems.ts'
import { didYouMean } from '../suggestions.ts'
import { columnsOf, includableBy, includesFor, linesOf } from './columns.ts'
import { rowsIn } from './rows.ts'

/** The output format of a response. */
export type Form = 'people' | 'json' | 'csv'

/** The parts of a response to show. */
export interface View {
  form: Form
  /** undefined for the defaults */
  columns?: readonly string[]
  /** whether the user chose the columns: then empty ones are shown too */
  isChosen: boolean
  /** query parameters that the view adds */
  query: Record<string, unknown>
}

/**
 * The view of a response and the query that it needs: only the shown fields, and names for ids.
 * @param wanted `--columns`
 * @param asked the typed query
 */
export function viewOf(
  operation: Operation,
  form: Form,
  wanted: readonly string[] | undefined,
  asked: Readonly<Record<string, unknown>>,
): View {
  if (wanted && form === 'json')
    throw new WrongUse('--columns works only with tables and --csv. With --json, use --fields.')
  const fields = fieldsOf(operation)
  const holdsRows = Object.hasOwn(rowsIn, operation.answers ?? '')
  if (form === 'json' || fields.length === 0 || holdsRows) {
    const names =
      holdsRows && form !== 'json' && asked.include === undefined ? includesFor(operation, ['assignees']) : []
    return {
      ...{ form, isChosen: wanted !== undefined },
      query: names.length > 0 ? { include: names.join(',') } : {},
      ...(wanted ? { columns: wanted } : {}),
    }
  }
  const [ownFields, ownIncludes] = [wordsIn(asked.fields), wordsIn(asked.include)]
  const columns = wanted ?? [...(ownFields ?? usual(operation, form, fields)), ...(ownIncludes ?? [])]
  refuseUnknown(columns, [...fields, ...includableBy(operation)])
  const heads = columns.map((column) => column.split('.')[0] ?? '')
  const include = [...new Set([...(ownIncludes ?? []), ...includesFor(operation, heads)])]
  const select = fields.filter((name) => heads.includes(name))
  const narrows = operation.list !== undefined && select.length > 0 && selectableBy(operation) !== undefined
  return {
    ...{ form, columns: [...new Set(columns)], isChosen: wanted !== undefined },
    query: {
      ...(include.length > 0 ? { include: include.join(',') } : {}),
      ...(narrows && ownFields === undefined && form === 'people' ? { fields: select.join(',') } : {}),
    },
  }
}

/** The fields of an item without `include`. */
const fieldsOf = (operation: Operation) =>
  selectableBy(operation) ??
  shapes[operation.answers ?? '']?.filter((name) => !includableBy(operation).includes(name)) ??
  []

/** The values of the `fields` parameter. */
const selectableBy = ({ parameters }: Operation) =>
  parameters.find(({ name, in: place }) => name === 'fields' && place === 'query')?.words

function usual(operation: Operation, form: Form, fields: readonly string[]): readonly string[] {
  if (form === 'csv') return fields
  return operation.list ? columnsOf(operation, fields) : linesOf(operation, fields)
}

const wordsIn = (value: unknown) => (typeof value === 'string' ? value.split(',') : undefined)

/** @throws WrongUse for an unknown column */
export function refuseUnknown(columns: readonly string[], known: readonly string[]): void {
  const odd = columns.find((column) => !known.includes(column.split('.')[0] ?? ''))
  if (odd === undefined) return
  throw new WrongUse(`There is no column '${odd}'.${didYouMean(odd, known)} Columns: ${known.join(', ')}.`)
}
