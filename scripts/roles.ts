import {
  admins,
  type Belonging,
  everyone,
  isBelow,
  operator,
  type ProjectRole,
  type Role,
  type Route,
} from '../server/src/for-tools.ts'
import { withTable } from './generated.ts'

/** Replaces the table of permissions between the two marks of a page. */
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

/** The columns of the table: roles in the organization and, for members, in the project. */
export const askers = ['owner', 'admin', 'lead', 'contributor', 'viewer', 'no member of the project'] as const
type Asker = (typeof askers)[number]

/** The result for a caller: allowed, refused, or hidden. */
export type Verdict = 'yes' | 403 | 404

/** A line of the table: an operation in one case, because cases can need different roles. */
interface Line {
  route: Route
  /** empty for all cases */
  when: string
  verdicts: readonly Verdict[]
}

/** The table of permissions: a line for each case of each operation, except the operator's. */
export function linesOf(route: Route, routes: readonly Route[]): Line[] {
  if (route.roles === operator) return []
  const target = targetOf(route, routes)
  const own = casesOf(route, target).map(({ when, belongsTo, needs }): Line => {
    const verdicts = askers.map((asker) => verdictOf(asker, route.roles as readonly Role[], belongsTo, needs))
    return { route, when, verdicts }
  })
  const declared = route.cases.map(({ when, roles, needs }): Line => {
    const verdicts = askers.map((asker) => verdictOf(asker, roles ?? everyone, needs ? 'project' : 'nothing', needs))
    return { route, when, verdicts }
  })
  const lines = [...declared, ...own]
  const isOne = new Set(lines.map(({ verdicts }) => verdicts.join())).size === 1
  return isOne ? lines.slice(0, 1).map((line) => ({ ...line, when: '' })) : lines
}

interface Target {
  belongsTo: Belonging | 'nothing'
  needs: Route['needs']
}

/** The resource that decides: that of the path, that of the parent path, or the one that the body names. */
function targetOf(route: Route, routes: readonly Route[]): Target {
  if (route.target) return { belongsTo: route.target.belongsTo, needs: route.needs }
  const parent = route.path.replace(/\/[\w-]+$/, '')
  const above =
    route.ids.length > 0 ? routes.find(({ method, path }) => method === 'GET' && path === parent) : undefined
  if (above?.target) return { belongsTo: above.target.belongsTo, needs: undefined }
  const named = Object.values(route.references).find(({ needs }) => needs !== undefined)
  return { belongsTo: named?.to.belongsTo ?? 'nothing', needs: named?.needs }
}

interface Case {
  when: string
  belongsTo: Belonging | 'nothing' | 'others'
  needs: ProjectRole | 'nobody' | undefined
}

function casesOf({ cases }: Route, { belongsTo, needs }: Target): Case[] {
  if (typeof needs === 'object') {
    return [
      { when: "one's own", belongsTo, needs: needs.own },
      { when: 'of others', belongsTo, needs: needs.others },
    ]
  }
  if (belongsTo === 'either') {
    return [
      { when: 'of a project', belongsTo: 'project', needs },
      { when: 'of the organization', belongsTo: 'either', needs },
    ]
  }
  if (belongsTo === 'member') {
    return [
      { when: "one's own", belongsTo: 'organization', needs: undefined },
      { when: 'of others', belongsTo: 'others', needs },
    ]
  }
  return [{ when: cases.length > 0 ? 'otherwise' : '', belongsTo, needs }]
}

function verdictOf(asker: Asker, roles: readonly Role[], belongsTo: Case['belongsTo'], needs: Case['needs']): Verdict {
  const isAdmin = admins.some((role) => role === asker)
  const isMember = asker !== 'no member of the project'
  if (belongsTo === 'project' && !isMember) return 404
  if (belongsTo === 'others' && !isAdmin) return 404
  if (!roles.includes(isAdmin ? (asker as Role) : 'member')) return 403
  if (needs === undefined) return 'yes'
  // without a project, owners and admins lead, and others view
  const role = isAdmin ? 'lead' : belongsTo === 'project' && isMember ? (asker as ProjectRole) : 'viewer'
  return isBelow(role, needs) ? 403 : 'yes'
}
