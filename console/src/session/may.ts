import type { GrantedRole } from '@taskwright/client'
import { words } from '../words.ts'
import { me, session } from './session.ts'

/** Whether the key that one is signed in with may write at all. */
export const mayWrite = (): boolean => me().apiKey.scopes.includes('write')

/** Whether one sees what owners and admins see. */
export const isAdmin = (): boolean => me().member.role !== 'member'

/** Whether one may do what owners and admins do, as far as can be told before it is tried. */
export const mayAdminister = (): boolean => isAdmin() && mayWrite()

/** Why one may not do that, as a sentence; undefined when one may. */
export const whyNotAdminister = (): string | undefined => whyNotLead(null)

type Role = GrantedRole['role']

// GET /me tells of so many projects; of others the server says what may be done
const mostTold = 1_000

/** What one is in a project: owners and admins lead all of them. Of what belongs to the organization it is theirs alone. */
function roleIn(projectId: string | null): Role | undefined {
  if (isAdmin()) return 'lead'
  const roles = session.value?.roles
  if (projectId === null || roles === undefined) return undefined
  return roles.get(projectId) ?? (roles.size < mostTold ? undefined : 'lead')
}

/** Why one may not write, as a sentence; undefined when one may. */
export const whyNotWrite = (): string | undefined => (mayWrite() ? undefined : words.may.onlyRead)

/** Why one may not work in a project, as a sentence; undefined when one may. */
export function whyNotWorkIn(projectId: string): string | undefined {
  const role = roleIn(projectId)
  return whyNotWrite() ?? (role === 'lead' || role === 'contributor' ? undefined : words.may.onlySee)
}

/** Why one may not lead a project, or where there is none the organization, as a sentence; undefined when one may. */
export function whyNotLead(projectId: string | null): string | undefined {
  const needed = projectId === null ? words.may.admins : words.may.leads
  return whyNotWrite() ?? (roleIn(projectId) === 'lead' ? undefined : needed)
}

/** Why one may not work in any project, as a sentence; undefined when one may in some. */
export const whyNotWork = (): string | undefined =>
  whyNotWrite() ?? (isAny(['contributor', 'lead']) ? undefined : words.may.onlySeeAll)

/** Why one leads no project, as a sentence; undefined when one leads some. */
export const whyNotLeadAny = (): string | undefined => whyNotWrite() ?? (isAny(['lead']) ? undefined : words.may.leads)

const isAny = (wanted: readonly Role[]) =>
  isAdmin() || [...(session.value?.roles.values() ?? [])].some((role) => wanted.includes(role))
