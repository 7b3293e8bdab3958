/** A column of a printed table. */
interface Column<Row> {
  heading: string
  /** the cell of a row; null: empty */
  of(row: Row): string | number | null
}

/**
 * Prints rows under headings, page by page. The first page decides the widths of the columns.
 * @returns a function that prints a page
 */
export function tableOf<Row>(columns: readonly Column<Row>[], print: (line: string) => void) {
  let widths: number[] | undefined
  return (rows: readonly Row[]): void => {
    const texts = rows.map((row) => columns.map(({ of }) => withoutControls(of(row))))
    const headings = columns.map(({ heading }) => heading)
    if (widths === undefined) {
      widths = columns.map((_, i) => Math.max(...[headings, ...texts].map((cells) => cells[i]?.length ?? 0)))
      print(line(headings, widths))
    }
    for (const cells of texts) print(line(cells, widths))
  }
}

const line = (cells: readonly string[], widths: readonly number[]) =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd()

/** A stored text without characters that could control the terminal. */
export const withoutControls = (value: string | number | null) =>
  String(value ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

/** A date-time in a column: 2026-01-31 12:00. */
export const moment = (timestamp: string | null) => timestamp && `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)}`
