import type { Operation } from '../operations/operation.ts'
import type { Output, Terminal } from '../terminal.ts'
import { cellIn, cellText, type NamesById } from './cells.ts'
import { type Paint, paintFor } from './colours.ts'
import { colourOf, includableBy } from './columns.ts'
import { csvOf } from './csv.ts'
import { inLines, safeJson } from './escape.ts'
import { writeLines } from './lines.ts'
import { type Rows, rowsIn } from './rows.ts'
import { writeTable } from './table.ts'
import { refuseUnknown, type View } from './view.ts'

/** Shows a response that is not a list. */
export function showAnswer(
  operation: Operation,
  answer: unknown,
  view: View,
  { out, ...terminal }: Terminal,
  learned: NamesById,
): void {
  if (answer === undefined) return
  const isText = typeof answer === 'string'
  const rows = isText || view.form === 'json' ? undefined : rowsIn[operation.answers ?? '']?.(answer as never)
  if (isText) out.write(forReader(answer, out))
  else if (view.form === 'json') out.write(`${safeJson(JSON.stringify(answer, null, 2))}\n`)
  else if (rows) showRowsIn(rows, view, { out, ...terminal }, learned)
  else {
    const paint = paintFor(terminal, out)
    writeLines(answer as Record<string, unknown>, view, includableBy(operation), out, paint, learned)
  }
}

function showRowsIn({ columns: usual, rows }: Rows, view: View, terminal: Terminal, learned: NamesById): void {
  const { columns = usual, form } = view
  refuseUnknown(columns, usual)
  const { out } = terminal
  if (form === 'people') showRows({ rows, columns }, out, paintFor(terminal, out), learned)
  else out.write(forReader(csvOf([columns]) + csvLines(rows, columns), out))
}

/** Shows items as a table. */
export function showRows({ columns, rows }: Rows, out: Terminal['out'], paint: Paint, learned: NamesById): void {
  const table = columns.map((title) => {
    const colour = colourOf(title)
    const isNumber = rows.some((row) => typeof cellIn(row, title) === 'number')
    return { title, toTheRight: isNumber, ...(colour ? { colour } : {}) }
  })
  const cells = rows.map((row) => columns.map((column) => cellText(row, column, learned)))
  writeTable(table, cells, out, paint)
}

/** A text; if it goes to a terminal, without characters that the terminal would obey. */
export const forReader = (text: string, { isTerminal }: Output) => (isTerminal ? inLines(text) : text)

/** Items as lines of CSV. */
export const csvLines = (items: readonly Record<string, unknown>[], columns: readonly string[]) =>
  csvOf(items.map((item) => columns.map((column) => cellIn(item, column))))
