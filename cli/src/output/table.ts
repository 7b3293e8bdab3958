import type { Output } from '../terminal.ts'
import type { Colour, Paint } from './colours.ts'
import { inOneLine } from './escape.ts'
import { cutTo, padded, widthOf } from './width.ts'

/** A column with its cells. */
interface Column {
  title: string
  toTheRight?: boolean
  colour?: (cell: string) => Colour | undefined
}

const gap = 2
const least = 8

/** Writes a table: in a terminal within its width, otherwise as wide as needed. */
export function writeTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  out: Output,
  paint: Paint,
): void {
  const safe = rows.map((row) => row.map(inOneLine))
  const natural = columns.map(({ title }, i) =>
    safe.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), widthOf(title)),
  )
  const widths = out.isTerminal ? fitted(natural, out.columns ?? 80) : natural
  const line = (cells: readonly string[], colour: (i: number, cell: string) => Colour | undefined) => {
    const last = cells.findLastIndex((cell, i) => cell !== '' && i < widths.length)
    return widths
      .slice(0, last + 1)
      .map((width, i) => {
        const cell = cells[i] ?? ''
        const text = out.isTerminal ? cutTo(cell, width) : cell
        const isFilled = i < last || columns[i]?.toTheRight
        return paint(colour(i, cell), isFilled ? padded(text, width, columns[i]?.toTheRight) : text)
      })
      .join(' '.repeat(gap))
  }
  const head = line(
    columns.map(({ title }) => title),
    () => 'bold',
  )
  const body = safe.map((row) => line(row, (i, cell) => columns[i]?.colour?.(cell)))
  out.write(`${[head, ...body].join('\n')}\n`)
}

/** Fits column widths: shortens the widest columns first; if all are narrow, it drops the last ones. */
function fitted(natural: readonly number[], total: number): number[] {
  let kept = [...natural]
  while (kept.length > 1 && sum(kept.map((width) => Math.min(width, least))) > total - gap * (kept.length - 1))
    kept = kept.slice(0, -1)
  const room = Math.max(1, total - gap * (kept.length - 1))
  while (sum(kept) > room) {
    const widest = Math.max(...kept)
    const next = Math.max(0, ...kept.filter((width) => width < widest))
    const many = kept.filter((width) => width === widest).length
    const share = Math.max(1, Math.min(widest - next, Math.ceil((sum(kept) - room) / many)))
    kept = kept.map((width) => (width === widest ? Math.max(1, width - share) : width))
  }
  return kept
}

const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0)
