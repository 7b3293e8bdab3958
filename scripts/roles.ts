import { askers, type Line, linesOf, type Route } from '../server/src/for-tools.ts'

const start = '<!-- from here: npm run generate -->\n'
const end = '<!-- to here -->\n'

/** The page with the table of who may do what between its two marks. */
export function withRoles(page: string, routes: readonly Route[]): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/roles.md needs the lines ${start}and ${end}`)
  return page.slice(0, from + start.length) + tableOf(routes) + page.slice(to)
}

function tableOf(routes: readonly Route[]): string {
  const rows = new Map<string, { methods: string[]; line: Line }>()
  for (const line of routes.flatMap((route) => linesOf(route, routes))) {
    const { route, when, verdicts } = line
    const row = rows.get([route.path, when, verdicts].join())
    if (row) row.methods.push(route.method)
    else rows.set([route.path, when, verdicts].join(), { methods: [route.method], line })
  }
  const cells = [...rows.values()].map(({ methods, line: { route, when, verdicts } }) => [
    `${methods.join(' ')} ${route.path}`,
    when,
    ...verdicts,
  ])
  const head = ['operation', 'when', ...askers]
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |\n`).join('')
}
