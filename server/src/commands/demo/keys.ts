import { newKey } from '../../access/keys.ts'
import { momentOf } from './calendar.ts'
import type { People, Person } from './people.ts'
import { type SeededProject, smallProject } from './projects.ts'
import { at } from './random.ts'
import type { Seeding } from './seeding.ts'

/** Somebody whose view of the organization is worth having. */
export interface Holder {
  as: 'owner' | 'admin' | 'member' | 'viewer'
  person: Person
  /** what they may do, in words */
  role: string
}

/** A key that was made, and whose it is. */
export interface Key extends Holder {
  secret: string
}

/** One of each kind of view: who sees all, who leads and contributes, who only looks at one small project. */
export function holdersOf({ leaders, staff, onlooker }: People, projects: readonly SeededProject[]): Holder[] {
  const joinedBy = (person: Person) => projects.filter(({ lead, team }) => lead !== person && team.includes(person))
  const [member = at(staff, 0)] = staff.toSorted((one, other) => joinedBy(other).length - joinedBy(one).length)
  const led = projects.filter(({ lead }) => lead === member)
  const leads = led.map(({ name }) => name).join(', ')
  const contributes = joinedBy(member)
    .map(({ key }) => key)
    .join(', ')
  return [
    { as: 'owner', person: at(leaders, 0), role: 'owner' },
    { as: 'admin', person: at(leaders, 1), role: 'admin' },
    { as: 'member', person: member, role: `member: leads ${leads}; contributes to ${contributes}` },
    { as: 'viewer', person: onlooker, role: `member: views ${at(projects, smallProject).name} only` },
  ]
}

/** Adds a key of a member. Secrets never come from a seed. */
export function addKey(
  { mint, nowMs, rows }: Pick<Seeding, 'mint' | 'nowMs' | 'rows'>,
  orgId: string,
  memberId: string,
  name: string,
): { keyId: string; secret: string } {
  const { secret, hash, prefix } = newKey(orgId)
  const keyId = mint(nowMs)
  const createdAt = momentOf(nowMs)
  const secretHash = `\\x${hash.toString('hex')}`
  const row = { id: keyId, memberId, name, prefix, secretHash, scopes: '{read,write}', version: 1 }
  rows.add('api_keys', { ...row, createdAt, updatedAt: createdAt })
  return { keyId, secret }
}
