import { askers, type Line, linesOf, type Route } from '../server/src/for-tools.ts'
import { withTable } from './generated.ts'

/** The page with the table of who may do what between its two marks. */
export function withRoles(page: string, routes: readonly Route[]): string {
  return withTable(page, 'docs/roles.md', tableOf(routes))
}

function tableOf(routes: readonly Route[]): (string | number)[][] {
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
  return [['operation', 'when', ...askers], ...cells]
}
