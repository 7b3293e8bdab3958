import type { Row } from './rows.ts'

const heads = ['measured', 'ratio', 'min – max', 'target', '', 'one : other', 'CPU µs, one : other', 'of PostgreSQL']

/** The rows as a table that reads well on a terminal and is Markdown. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, value, range, target, met, figures, cpu, postgres }) => {
    const verdict = met === undefined ? '' : met ? 'met' : 'MISSED'
    return [what, value, range, target, verdict, figures, cpu, postgres]
  })
  const widths = heads.map((head, place) => Math.max(head.length, 3, ...cells.map((row) => row[place]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [line(heads), rule, ...cells.map(line)].join('\n')
}
