import type { GrantedRole } from '@taskwright/client'
import { words } from '../words.ts'
import { me, session } from './session.ts'

/** Whether the user can write: with a session, or with a key that has the scope `write`. */
export const mayWrite = (): boolean => me().apiKey?.scopes.includes('write') ?? true

/** Whether the user is an owner or admin. */
export const isAdmin = (): boolean => me().member.role !== 'member'

/** Whether the user can do what needs an owner or admin. The server decides when it handles the request. */
export const mayAdminister = (): boolean => isAdmin() && mayWrite()

/** The reason why the user cannot do that, as a sentence; undefined if they can. */
export const whyNotAdminister = (): string | undefined => whyNotLead(null)

type Role = GrantedRole['role']

// GET /me lists so many projects; for others the server decides
const mostTold = 1_000

/** The user's role in a project: owners and admins lead every project. Without a project (null), only they have a role. */
function roleIn(projectId: string | null): Role | undefined {
  if (isAdmin()) return 'lead'
  const roles = session.value?.roles
  if (projectId === null || roles === undefined) return undefined
  return roles.get(projectId) ?? (roles.size < mostTold ? undefined : 'lead')
}

/** The reason why the user cannot write, as a sentence; undefined if they can. */
export const whyNotWrite = (): string | undefined => (mayWrite() ? undefined : words.may.onlyRead)

/** The reason why the user cannot work in a project, as a sentence; undefined if they can. */
export function whyNotWorkIn(projectId: string): string | undefined {
  const role = roleIn(projectId)
  return whyNotWrite() ?? (role === 'lead' || role === 'contributor' ? undefined : words.may.onlySee)
}

/** The reason why the user cannot lead a project, or the organization if null, as a sentence; undefined if they can. */
export function whyNotLead(projectId: string | null): string | undefined {
  const needed = projectId === null ? words.may.admins : words.may.leads
  return whyNotWrite() ?? (roleIn(projectId) === 'lead' ? undefined : needed)
}

/** The reason why the user cannot work in any project, as a sentence; undefined if they can in at least one. */
export const whyNotWork = (): string | undefined =>
  whyNotWrite() ?? (isAny(['contributor', 'lead']) ? undefined : words.may.onlySeeAll)

/** The reason why the user leads no project, as a sentence; undefined if they lead at least one. */
export const whyNotLeadAny = (): string | undefined => whyNotWrite() ?? (isAny(['lead']) ? undefined : words.may.leads)

const isAny = (wanted: readonly Role[]) =>
  isAdmin() || [...(session.value?.roles.values() ?? [])].some((role) => wanted.includes(role))
