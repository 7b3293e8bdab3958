export type Role = 'owner' | 'admin' | 'member'

/** The roles in a project, ascending. */
export const projectRoles = ['viewer', 'contributor', 'lead'] as const
export type ProjectRole = (typeof projectRoles)[number]

/** Every member of the organization. */
export const everyone: readonly Role[] = ['owner', 'admin', 'member']
export const admins: readonly Role[] = ['owner', 'admin']

// `nobody` is above every role
const ranks = [...projectRoles, 'nobody'] as const

/** Whether a role in a project is lower than the needed role. Every role is lower than `nobody`. */
export const isBelow = (role: ProjectRole, needed: (typeof ranks)[number]): boolean =>
  ranks.indexOf(role) < ranks.indexOf(needed)

/** The role of the operator, who presents OPERATOR_TOKEN. */
export const operator = 'operator'

/** The caller of a request, identified by the API key. */
export interface Caller {
  orgId: string
  memberId: string
  keyId: string
  role: Role | typeof operator
  scopes: readonly string[]
  /** the key itself, only used to seal stored responses */
  credential: string
}

/** Ids of members without duplicates, with the caller's id for `me`. */
export const withoutMe = ({ memberId }: Caller, ids: readonly string[] = []): string[] => [
  ...new Set(ids.map((id) => (id === 'me' ? memberId : id))),
]

const byRank: readonly string[] = ['member', 'admin', 'owner']

/** Whether the first role is above the second. */
export const outranks = (role: Role, other: Caller['role']) => byRank.indexOf(role) > byRank.indexOf(other)
