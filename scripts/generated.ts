const start = '<!-- from here: npm run generate -->\n'
const end = '<!-- to here -->\n'

type Rows = readonly (readonly (string | number)[])[]

/** A page with a table between its two marks. */
export const withTable = (page: string, name: string, rows: Rows): string => withText(page, name, tableOf(rows))

/** A page with a text between its two marks. */
export function withText(page: string, name: string, text: string): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${name} needs the lines ${start}and ${end}`)
  return page.slice(0, from + start.length) + text + page.slice(to)
}

/** A table in Markdown, the first row above it. */
export function tableOf([head = [], ...others]: Rows): string {
  return [head, head.map(() => '---'), ...others].map((row) => `| ${row.join(' | ')} |\n`).join('')
}
