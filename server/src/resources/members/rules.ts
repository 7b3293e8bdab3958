import type { Caller, Role } from '../../access/caller.ts'

const ranks = ['member', 'admin', 'owner']

/** Whether the first role stands above the second. */
export const outranks = (role: Role, other: Caller['role']) => ranks.indexOf(role) > ranks.indexOf(other)

/** What decides whether a member can act as an owner. */
export interface Standing {
  role: string
  status: string
}

export const standsAsOwner = ({ role, status }: Standing) => role === 'owner' && status === 'active'
