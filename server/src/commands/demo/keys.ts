import { newKey } from '../../access/keys.ts'
import { momentOf } from './calendar.ts'
import type { DemoPerson, People } from './people.ts'
import { type SeededProject, smallProject } from './projects.ts'
import { at } from './random.ts'
import type { SeedContext } from './seeding.ts'

/** A member who gets an API key, to see the organization with their role. */
export interface Holder {
  as: 'owner' | 'admin' | 'member' | 'viewer'
  person: DemoPerson
  /** the rights of the member, in words */
  role: string
}

/** A new API key with its member. */
export interface Key extends Holder {
  secret: string
}

/** One member for each view: two who see everything, one who leads and contributes, and one who only views a small project. */
export function demoKeyHolders({ leaders, staff, onlooker }: People, projects: readonly SeededProject[]): Holder[] {
  const joinedBy = (person: DemoPerson) => projects.filter(({ lead, team }) => lead !== person && team.includes(person))
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

/** Adds an API key of a member. Its secret is always random, never derived from the seed. */
export function addKey(
  { mint, nowMs, rows }: Pick<SeedContext, 'mint' | 'nowMs' | 'rows'>,
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
