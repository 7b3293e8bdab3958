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

/** The session of a person who signed in with a browser. */
export interface CallerSession {
  id: string
  personId: string
  /** when the person last proved who they are */
  signedInAtMs: number
}

/** The caller of a request, identified by an API key or by a session. */
export interface Caller {
  orgId: string
  memberId: string
  /** null: the caller has a session */
  keyId: string | null
  /** absent: the caller has a key */
  session?: CallerSession
  role: Role | typeof operator
  scopes: readonly string[]
  /** the key or the token of the session, only used to seal stored responses */
  credential: string
}

/** The id of the caller's key or session. */
export const credentialId = ({ keyId, session }: Caller): string => keyId ?? session?.id ?? ''

/** Ids of members without duplicates, with the caller's id for `me`. */
export const withoutMe = ({ memberId }: Caller, ids: readonly string[] = []): string[] => [
  ...new Set(ids.map((id) => (id === 'me' ? memberId : id))),
]

const byRank: readonly string[] = ['member', 'admin', 'owner']

/** Whether the first role is above the second. */
export const outranks = (role: Role, other: Caller['role']) => byRank.indexOf(role) > byRank.indexOf(other)
