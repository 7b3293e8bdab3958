import { newKey } from '../access/keys.ts'
import { ApiKey } from '../resources/api-keys/api-key.ts'
import { momentOf } from './calendar.ts'
import { pickFields } from './events.ts'
import type { People, Person } from './people.ts'
import { type Project, smallProject } from './projects.ts'
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
export function holdersOf({ owner, leaders, staff, onlooker }: People, projects: readonly Project[]): Holder[] {
  const ledBy = (person: Person) => projects.filter(({ lead }) => lead === person)
  const joinedBy = (person: Person) => projects.filter(({ lead, team }) => lead !== person && team.includes(person))
  const [member = at(staff, 0)] = staff
    .filter((person) => ledBy(person).length === 1)
    .sort((one, other) => joinedBy(other).length - joinedBy(one).length)
  const led = ledBy(member).map(({ name }) => name)
  const joined = joinedBy(member).map(({ key }) => key)
  return [
    { as: 'owner', person: owner, role: 'owner' },
    { as: 'admin', person: at(leaders, 1), role: 'admin' },
    { as: 'member', person: member, role: `member: leads ${led.join(', ')}; contributes to ${joined.join(', ')}` },
    { as: 'viewer', person: onlooker, role: `member: views ${at(projects, smallProject).name} only` },
  ]
}

const scopes = ['read', 'write'] as const

/** Adds a key of a member. Secrets never come from a seed. */
export function addKey(
  { mint, nowMs, rows }: Pick<Seeding, 'mint' | 'nowMs' | 'rows'>,
  orgId: string,
  memberId: string,
  name: string,
): { keyId: string; secret: string; item: ApiKey } {
  const { secret, hash, prefix } = newKey(orgId)
  const keyId = mint(nowMs)
  const createdAt = momentOf(nowMs)
  const row = { id: keyId, memberId, name, prefix, version: 1, createdAt, updatedAt: createdAt }
  rows.add('api_keys', { ...row, secretHash: `\\x${hash.toString('hex')}`, scopes: `{${scopes}}` })
  const unset = { createdBy: null, createdWith: null, expiresAt: null, lastUsedAt: null, revokedAt: null }
  return { keyId, secret, item: pickFields(ApiKey, { ...row, ...unset, scopes: [...scopes] }) }
}
