const start = '<!-- from here: npm run generate -->\n'
const end = '<!-- to here -->\n'

/** A page with a table between its two marks. */
export function withTable(page: string, name: string, rows: readonly (readonly (string | number)[])[]): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${name} needs the lines ${start}and ${end}`)
  const [head = [], ...others] = rows
  const lines = [head, head.map(() => '---'), ...others].map((row) => `| ${row.join(' | ')} |\n`)
  return page.slice(0, from + start.length) + lines.join('') + page.slice(to)
}
