export type Role = 'owner' | 'admin' | 'member'
export type ProjectRole = 'lead' | 'contributor' | 'viewer'

/** Every member of the organization. */
export const everyone: readonly Role[] = ['owner', 'admin', 'member']
export const admins: readonly Role[] = ['owner', 'admin']

// ascending; `nobody` is above every role
const ranks = ['viewer', 'contributor', 'lead', 'nobody'] as const

/** Whether a role in a project is too low for what takes another one, or is nobody's to do. */
export const isBelow = (role: ProjectRole, needed: (typeof ranks)[number]): boolean =>
  ranks.indexOf(role) < ranks.indexOf(needed)

/** Who runs the instance, known by OPERATOR_TOKEN. */
export const operator = 'operator'

/** Who is asking, as the API key says. */
export interface Caller {
  orgId: string
  memberId: string
  keyId: string
  role: Role | typeof operator
  scopes: readonly string[]
  /** the key itself; only used to seal stored answers */
  credential: string
}

/** Ids of members, each once, with the caller's for `me`. */
export const withoutMe = ({ memberId }: Caller, ids: readonly string[] = []): string[] => [
  ...new Set(ids.map((id) => (id === 'me' ? memberId : id))),
]

const byRank: readonly string[] = ['member', 'admin', 'owner']

/** Whether the first role stands above the second. */
export const outranks = (role: Role, other: Caller['role']) => byRank.indexOf(role) > byRank.indexOf(other)
