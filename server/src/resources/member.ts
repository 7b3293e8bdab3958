import { z } from 'zod'
import { type Caller, outranks, type Role } from '../access/caller.ts'
import type { Loader } from '../access/loader.ts'
import { countLocks, takeAdvisoryLock } from '../access/locks.ts'
import { present } from '../access/visibility.ts'
import { Email } from '../contract/email.ts'
import { Id, Name, resource, Timestamp } from '../contract/fields.ts'
import { Timezone } from '../contract/timezone.ts'
import { atLeast } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { table } from '../db/table.ts'

/** A user in an organization. */
export const Member = resource('Member', 'A user in an organization.', {
  name: Name.meta({ examples: ['Ann Example'] }),
  email: Email.meta({ description: 'Unique in the organization. Stored in lower case.' }),
  role: z.enum(['owner', 'admin', 'member']),
  timezone: Timezone.nullable().meta({ description: 'IANA time zone. Null: the time zone of the organization.' }),
  status: z.enum(['active', 'deactivated']).meta({ description: 'The API keys of a deactivated member do not work.' }),
  joinedAt: Timestamp.nullable().meta({
    description: 'When a person first signed in as this member. Null: nobody did yet, or the member only has API keys.',
  }),
  emailVerified: z.boolean().meta({
    description: 'Whether the person who signs in as this member proved that the e-mail address is theirs.',
  }),
})
export type Member = z.output<typeof Member>

/** The table of members. A member is never purged, because other rows name them as author. */
export const storedMembers = table('members', Member, {
  noun: 'member',
  nameKey: true,
  foundBy: ['name'],
  tells: {
    joined: 'A person accepted an invitation or used a sign-in link, and signs in as this member from now on.',
    sign_in_changed:
      'The person behind the member added or removed a passkey, a password or an account at a provider, or signed out ' +
      'everywhere. The event does not say which.',
    deleted:
      'The member is also removed from all projects, without further events. Each task and subtask that was ' +
      'assigned to the member gets its own event.',
    restored: 'The member is in no project and has no assignments.',
    erased:
      'The name and e-mail address of a removed member were erased permanently. Delete the name from your own copies, ' +
      'too. The server removes it from earlier events within minutes. Nobody can restore it.',
  },
  goneSince: 'never',
})

/** A member as the author of an action, even after their removal. */
export const NamedMember = z
  .strictObject({
    id: Id,
    name: Name.meta({ examples: ['Ann Example'] }),
    email: Email.nullable().meta({ description: 'Null if the member was removed.' }),
    status: z.enum(['active', 'deactivated', 'removed']),
  })
  .meta({ id: 'NamedMember', description: 'A member who did something, even if the member was removed later.' })
export type NamedMember = z.output<typeof NamedMember>

/** Loads the authors of actions, removed members included. */
export const namedMembers = async (db: Db, { orgId }: Caller, ids: readonly string[]): Promise<NamedMember[]> => {
  const rows = await db.rows<{ named: NamedMember }>(sql`
    select ${namedMember} as named from members where members.org_id = ${orgId} and members.id = any(${ids})`)
  return rows.map(({ named }) => named)
}

/** SQL: a row of members as a `NamedMember`. */
export const namedMember = sql`json_build_object('id', members.id, 'name', members.name,
  'email', case when members.deleted_at is null then members.email end,
  'status', case when members.deleted_at is null then members.status else 'removed' end)`

/** Every member sees all members. The caller may change themselves and, as owner or admin, members not above them. */
export const member: Loader<Member> = memberWhere((deleted) => present(sql`members`, deleted))

/** A member, removed or not. */
export const presentOrRemoved: Loader<Member> = memberWhere(() => sql`true`)

/** @param isThere condition: the row counts; for a restore, it must be deleted */
function memberWhere(isThere: (deleted?: boolean) => Sql): Loader<Member> {
  return {
    belongsTo: 'organization',
    async load(db, caller, { ids, lock, deleted, fields }) {
      // rows that refer to a member lock its key without the advisory lock; a removal does not wait for that lock
      const held = sql.lock(lock === 'update' ? 'no key update' : lock, sql`members`)
      const columns = storedMembers.columns.of(atLeast(fields, 'id', 'role'))
      const which = sql`members.org_id = ${caller.orgId} and members.id = any(${ids})`
      if (lock !== 'none') countLocks(db, ids)
      const [, rows] = await Promise.all([
        takeAdvisoryLock(db, sql`members`, sql`members.id`, lock, which),
        db.rows<Member>(sql`select ${columns} from members where ${which} and ${isThere(deleted)} ${held}`),
      ])
      return rows.map((item) => ({ item, role: mayActOn(caller, item) ? 'lead' : 'viewer' }))
    },
  }
}

const mayActOn = (caller: Caller, { id, role }: { id: string; role: Role }) =>
  id === caller.memberId || (caller.role !== 'member' && !outranks(role, caller.role))
