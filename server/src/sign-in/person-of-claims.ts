import { expected } from '../db/expected.ts'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import type { Claims } from '../oidc/claims.ts'
import { OidcProblem } from '../oidc/problem.ts'
import {
  addIdentity,
  findIdentity,
  type Identity,
  lockAddress,
  lockIdentity,
  recordIdentityUse,
} from '../persons/identities.ts'
import { acceptInvitation } from '../persons/invitations.ts'
import type { LinkedMember } from '../persons/links.ts'
import {
  createPerson,
  lockPerson,
  membershipsOf,
  type Person,
  personWithEmail,
  verifyEmail,
} from '../persons/persons.ts'
import type { OidcProvider } from '../sign-in-config.ts'
import { joinByDomain } from './domain-sign-up.ts'
import type { SignInContext } from './endpoint.ts'
import { joinByAddress } from './invited-sign-up.ts'
import { recordAcceptance, recordForMember, recordOwnChange } from './recording.ts'

/** The person whom a sign-in signs in, and the organizations for `services.changed` after the commit. */
interface SignedInPerson {
  personId: string
  organizations: string[]
}

/**
 * Finds or creates the person of a sign-in: by their account at the provider, then by a verified address, which must be verified
 * on both sides. New people must be invited, or have an address of a domain that the settings let in.
 * @param invitation SHA-256 of the token in the link that the person opened, in hex
 * @throws OidcProblem, or 412 for the invitation
 */
export async function personOfClaims(
  tx: Transaction,
  context: SignInContext,
  provider: OidcProvider,
  claims: Claims,
  invitation: string | null,
): Promise<SignedInPerson> {
  const { now } = context
  await lockIdentity(tx, claims.issuer, claims.subject)
  const identity = await findIdentity(tx, claims.issuer, claims.subject)
  if (claims.email.verified) await lockAddress(tx, claims.email.address)
  const known = identity ? await lockPerson(tx, identity.personId) : await personOfAddress(tx, claims)
  const { person, accepted } = await accept(tx, context, known, claims, invitation)
  if (identity) await recordIdentityUse(tx, identity.id, claims.email.address, now)
  else await addIdentity(tx, person.id, { ...claims, email: claims.email.address }, now)
  await adoptAddress(tx, person, claims, identity, now)
  const changed = await verifyMembers(tx, person.id, now)
  const invited = await joinByAddress(tx, context, person.id, claims)
  const { joined, problem } = await joinByDomain(tx, context, provider, person.id, claims)
  await refuseWithoutMembership(tx, person.id, claims, problem)
  const isLinked = known !== undefined && identity === undefined
  const linked = isLinked ? await recordLink(tx, context, provider, person) : []
  if (!isLinked)
    for (const one of changed.toSorted(byOrganization))
      await recordForMember(tx, one, 'member.sign_in_changed', context)
  const organizations = [...accepted, ...invited, ...joined, ...changed].map(({ orgId }) => orgId)
  return { personId: person.id, organizations: [...new Set([...linked, ...organizations])] }
}

/** Adds an account at a provider to a person who is signed in. @returns the organizations for `services.changed` */
export async function linkClaims(
  tx: Transaction,
  context: SignInContext,
  provider: OidcProvider,
  claims: Claims,
  personId: string,
): Promise<string[]> {
  const { now } = context
  await lockIdentity(tx, claims.issuer, claims.subject)
  const identity = await findIdentity(tx, claims.issuer, claims.subject)
  if (identity && identity.personId !== personId) throw new OidcProblem('identity_taken')
  const person = await lockPerson(tx, personId)
  if (person === undefined) throw new OidcProblem('sign_in_again')
  if (identity) await recordIdentityUse(tx, identity.id, claims.email.address, now)
  else await addIdentity(tx, personId, { ...claims, email: claims.email.address }, now)
  await adoptAddress(tx, person, claims, identity, now)
  await verifyMembers(tx, personId, now)
  return identity ? [] : recordLink(tx, context, provider, person)
}

/** Tells the person that an account signs them in from now on: perhaps it is not theirs. */
const recordLink = (tx: Transaction, context: SignInContext, { name }: OidcProvider, person: Person) =>
  recordOwnChange(tx, { ...context, session: { person } }, 'identity_added', name)

/** Both sides must have proved the address: else somebody registers it in advance and waits for its owner. */
async function personOfAddress(tx: Transaction, { email }: Claims): Promise<Person | undefined> {
  if (!email.verified) return undefined
  const found = await personWithEmail(tx, email.address)
  return found?.emailVerified ? lockPerson(tx, found.id) : undefined
}

/** Accepts the invitation that the person opened, if there is one. It also lets in somebody without a verified address. */
async function accept(
  tx: Transaction,
  context: SignInContext,
  known: Person | undefined,
  claims: Claims,
  invitation: string | null,
): Promise<{ person: Person; accepted: LinkedMember[] }> {
  const { now } = context
  if (invitation === null) return { person: known ?? (await newPerson(tx, claims, now)), accepted: [] }
  const existing = known ?? (claims.email.verified ? await newPerson(tx, claims, now) : undefined)
  const accepting = existing ? { personId: existing.id } : { name: claims.name }
  const accepted = await acceptInvitation(tx, { hash: Buffer.from(invitation, 'hex') }, accepting, now)
  await recordAcceptance(tx, accepted, context)
  return { person: expected(await lockPerson(tx, accepted.personId), 'A person who accepted'), accepted: [accepted] }
}

/** Only a verified address lets somebody new in. */
function newPerson(tx: Transaction, { email, name }: Claims, now: string): Promise<Person> {
  if (!email.verified) throw new OidcProblem(email.problem)
  const { address } = email
  return createPerson(tx, { name: name ?? address, email: address, emailVerified: true }, now)
}

/** Stores the address of the provider if it is verified and the person has none, the same, or the one from this account. */
async function adoptAddress(
  tx: Transaction,
  person: Person,
  { email }: Claims,
  identity: Identity | undefined,
  now: string,
): Promise<void> {
  if (!email.verified || (person.emailVerified && person.email === email.address)) return
  const isOurs = person.email === null || person.email === email.address || person.email === identity?.email
  if (isOurs) await verifyEmail(tx, person.id, email.address, now)
}

/** Marks the members of a person whose address is the one that the person proved. */
const verifyMembers = (tx: Transaction, personId: string, now: string): Promise<LinkedMember[]> =>
  tx.rows(sql`
    update members set email_verified = true, version = version + 1, updated_at = greatest(updated_at, ${now})
    where person_id = ${personId} and not email_verified and deleted_at is null
      and email = (select persons.email from persons where persons.id = ${personId} and persons.email_verified)
    returning org_id as "orgId", id as "memberId"`)

const byOrganization = (a: LinkedMember, b: LinkedMember) => (a.orgId < b.orgId ? -1 : 1)

/** Nobody gets a session that opens nothing. */
async function refuseWithoutMembership(
  tx: Transaction,
  personId: string,
  { email }: Claims,
  problem: OidcProblem | undefined,
): Promise<void> {
  if ((await membershipsOf(tx, personId)).length > 0) return
  if (problem) throw problem
  const former = await tx.row(sql`select id from members where person_id = ${personId} limit 1`)
  if (former) throw new OidcProblem('membership_ended')
  throw new OidcProblem(email.verified ? 'not_invited' : email.problem)
}
