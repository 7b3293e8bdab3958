const start = '<!-- from here: npm run generate -->\n'
const end = '<!-- to here -->\n'

type Rows = readonly (readonly (string | number)[])[]

/** Replaces the table between the two marks of a page. */
export const withTable = (page: string, name: string, rows: Rows): string => withText(page, name, tableOf(rows))

/** Replaces the text between the two marks of a page. */
export function withText(page: string, name: string, text: string): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${name} needs the lines ${start}and ${end}`)
  return page.slice(0, from + start.length) + text + page.slice(to)
}

/** A Markdown table; the first row is its head. */
export function tableOf([head = [], ...others]: Rows): string {
  return [head, head.map(() => '---'), ...others].map((row) => `| ${row.join(' | ')} |\n`).join('')
}
