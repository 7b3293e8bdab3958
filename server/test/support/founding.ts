import { randomUUID } from 'node:crypto'
import { newKey } from '../../src/access/keys.ts'
import type { Database } from '../../src/db/pool/database.ts'
import { sql } from '../../src/db/sql.ts'
import { collectChanges } from '../../src/events/outbox.ts'
import { sendChanges } from '../../src/operations/changes.ts'
import { createPerson } from '../../src/persons/persons.ts'
import { startSession } from '../../src/persons/sessions.ts'
import { storeKey } from '../../src/resources/api-keys/api-key.ts'
import { storedMembers } from '../../src/resources/member.ts'
import { createOrganization } from '../../src/resources/organizations/organizations.ts'

/**
 * Writes what the operations would that found an organization and let two members join, with their events, in one transaction:
 * nearly every test begins with it, and five requests take several times as long.
 */
export function foundOrganization(db: Database) {
  const founding = { name: `Org ${randomUUID()}`, owner: { name: 'Olivia Owner', email: 'olivia@example.com' } }
  const now = new Date().toISOString()
  return db.transaction(async (tx) => {
    const outside = collectChanges('')
    const { organization, owner, apiKey } = await createOrganization(tx, outside.emit, founding, now)
    sendChanges(tx, outside.changes, { memberId: null, keyId: null, requestId: 'command-line' }, now)
    const orgId = organization.id
    const by = { orgId, memberId: owner.id, keyId: apiKey.id, role: owner.role, scopes: apiKey.scopes, credential: '' }
    const { emit, changes } = collectChanges(orgId)
    const join = async (name: string, role: string): Promise<Joined> => {
      const member = await storedMembers.insert(tx, orgId, { name, email: `${randomUUID()}@example.com`, role }, now)
      emit('member.created', member)
      const key = newKey(orgId)
      const issued = await storeKey(tx, orgId, key, { memberId: member.id, name, scopes: by.scopes, by }, now)
      emit('api_key.created', issued)
      return { id: member.id, secret: key.secret }
    }
    const [admin, member] = [await join('Adam Admin', 'admin'), await join('Mia Member', 'member')]
    sendChanges(tx, changes, { memberId: owner.id, keyId: apiKey.id, requestId: randomUUID() }, now)
    return { orgId, owner: { id: owner.id, secret: apiKey.secret }, admin, member }
  })
}

/** Signs a member in, as a person of their own. @returns the token in the cookie */
export function startSessionOf(db: Database, orgId: string, memberId: string): Promise<string> {
  const now = new Date().toISOString()
  return db.transaction(async (tx) => {
    const person = await createPerson(tx, { name: 'Somebody', email: null, emailVerified: false }, now)
    await tx.rows(sql`
      update members set person_id = ${person.id} where org_id = ${orgId} and id = ${memberId}`)
    return startSession(tx, person.id, { address: '127.0.0.1', userAgent: 'test' }, 'link', now)
  })
}

/** A member, and the secret of its key. */
export interface Joined {
  id: string
  secret: string
}
