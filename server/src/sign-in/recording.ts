import { expected } from '../db/expected.ts'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { collectChanges } from '../events/outbox.ts'
import { queueSignInChanged, type SignInChange } from '../mail/sign-in-changed.ts'
import { sendChanges } from '../operations/changes.ts'
import type { LinkedMember } from '../persons/links.ts'
import { membershipsOf } from '../persons/persons.ts'
import type { LiveSession } from '../persons/sessions.ts'
import { type Invitation, storedInvitations } from '../resources/invitations/invitation.ts'
import { type Member, storedMembers } from '../resources/member.ts'
import type { SignInContext } from './endpoint.ts'

/** The types of events that requests about signing in write. */
export const signInEvents = ['member.joined', 'member.sign_in_changed', 'invitation.accepted'] as const
type MemberEvent = Exclude<(typeof signInEvents)[number], `invitation.${string}`>

/** Writes an event of a member, with the member as its author. Call `services.changed` after the commit. */
export async function recordForMember(
  tx: Transaction,
  { orgId, memberId }: LinkedMember,
  type: MemberEvent,
  { now, requestId }: Pick<SignInContext, 'now' | 'requestId'>,
): Promise<void> {
  const member = await tx.row<Member>(sql`
    select ${storedMembers.columns} from members where org_id = ${orgId} and id = ${memberId}`)
  if (member === undefined) return
  const { emit, changes } = collectChanges(orgId)
  emit(type, member)
  sendChanges(tx, changes, { memberId, keyId: null, requestId }, now)
}

/**
 * Writes that a person changed how they sign in, in each of their organizations.
 * @returns the organizations, for `services.changed` after the commit
 */
export async function recordForPerson(
  tx: Transaction,
  personId: string,
  context: Pick<SignInContext, 'now' | 'requestId'>,
): Promise<string[]> {
  const memberships = (await membershipsOf(tx, personId)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id: orgId, memberId } of memberships)
    await recordForMember(tx, { orgId, memberId }, 'member.sign_in_changed', context)
  return memberships.map(({ id }) => id)
}

/**
 * Records a change that a signed-in person makes to how they sign in: in each of their organizations, and by mail.
 * @param what the name of the passkey, the provider or the device
 * @returns the organizations, for `services.changed` after the commit
 */
export async function recordOwnChange(
  tx: Transaction,
  context: Pick<SignInContext, 'services' | 'now' | 'requestId'> & { session: Pick<LiveSession, 'person'> },
  change: SignInChange,
  what?: string,
): Promise<string[]> {
  const { services, session, now } = context
  const { person } = session
  if (services.settings.mail) await queueSignInChanged(tx, { person, change, ...(what && { what }) }, now)
  return recordForPerson(tx, person.id, context)
}

/** Writes that an invitation was accepted and its member joined. Call `services.changed` after the commit. */
export async function recordAcceptance(
  tx: Transaction,
  { orgId, memberId, id }: LinkedMember & { id: string },
  { now, requestId }: Pick<SignInContext, 'now' | 'requestId'>,
): Promise<void> {
  const { emit, changes } = collectChanges(orgId)
  const invitation = await tx.row<Invitation>(sql`
    select ${storedInvitations.columns} from invitations where org_id = ${orgId} and id = ${id}`)
  const member = await tx.row<Member>(sql`
    select ${storedMembers.columns} from members where org_id = ${orgId} and id = ${memberId}`)
  emit('invitation.accepted', expected(invitation, 'An accepted invitation'))
  emit('member.joined', expected(member, 'A member who accepted'))
  sendChanges(tx, changes, { memberId, keyId: null, requestId }, now)
}
