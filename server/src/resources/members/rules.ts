import type { Caller, Role } from '../../access/caller.ts'

const ranks = ['member', 'admin', 'owner']

/** Whether the first role stands above the second. */
export const outranks = (role: Role, other: Caller['role']) => ranks.indexOf(role) > ranks.indexOf(other)

/** What decides whether a member can act as an owner. */
export interface OwnerStatus {
  role: string
  status: string
}

export const isActiveOwner = ({ role, status }: OwnerStatus) => role === 'owner' && status === 'active'
