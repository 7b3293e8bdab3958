import type { Terminal } from '../terminal.ts'
import type { NamesById } from './cells.ts'
import { paintFor } from './colours.ts'
import { csvOf } from './csv.ts'
import { safeJson } from './escape.ts'
import { csvLines, forReader, showRows } from './show.ts'
import type { View } from './view.ts'

type Item = Record<string, unknown>

interface Page {
  data: Item[]
  total?: number
  pagination?: { nextCursor: string | null }
}

/** A list that can be read one page or all pages. */
interface Pages extends PromiseLike<unknown> {
  eachPage(): AsyncIterable<unknown>
}

/** Shows one page of a list, or all pages as they arrive. */
export async function showPages(
  pages: Pages,
  all: boolean,
  view: View,
  terminal: Terminal,
  learned: NamesById,
): Promise<void> {
  const { form, columns = [] } = view
  const { out, err } = terminal
  const paint = paintFor(terminal, out)
  if (!all) {
    const page = (await pages) as Page
    if (form === 'json') return out.write(`${safeJson(JSON.stringify(page, null, 2))}\n`)
    if (form === 'csv') out.write(forReader(csvOf([columns]) + csvLines(page.data, columns), out))
    else if (page.data.length > 0) showRows({ columns, rows: page.data }, out, paint, learned)
    const more = moreIn(page)
    if (page.data.length === 0 && form === 'people') err.write('Nothing found.\n')
    if (more) err.write(more)
    return
  }
  if (form === 'csv') out.write(forReader(csvOf([columns]), out))
  const rows: Item[] = []
  for await (const page of pages.eachPage()) {
    const { data } = page as Page
    if (form === 'json') for (const item of data) out.write(`${safeJson(JSON.stringify(item))}\n`)
    else if (form === 'csv') out.write(forReader(csvLines(data, columns), out))
    else rows.push(...data)
    await out.drained()
  }
  if (form !== 'people') return
  if (rows.length > 0) showRows({ columns, rows }, out, paint, learned)
  else err.write('Nothing found.\n')
}

/** A note that there are more items, and how to see them. */
function moreIn({ data, total, pagination }: Page): string | undefined {
  if (pagination?.nextCursor)
    return `There are more. --all shows all; --cursor ${pagination.nextCursor} shows the next page.\n`
  return total !== undefined && total > data.length
    ? `Showing ${data.length} of ${total}. --all shows all.\n`
    : undefined
}
