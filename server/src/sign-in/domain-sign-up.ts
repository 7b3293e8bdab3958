import { expected } from '../db/expected.ts'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { collectChanges } from '../events/outbox.ts'
import type { Claims } from '../oidc/claims.ts'
import { OidcProblem } from '../oidc/problem.ts'
import { sendChanges } from '../operations/changes.ts'
import { type LinkedMember, linkMember } from '../persons/links.ts'
import { type Member, storedMembers } from '../resources/member.ts'
import type { OidcProvider } from '../sign-in-config.ts'
import type { SignInContext } from './endpoint.ts'

interface Target {
  organization: string
  role: 'admin' | 'member'
}

/**
 * Makes a person a member of the organizations that the settings name for the domain of their verified address. Somebody who was
 * deactivated or removed does not come back by this.
 * @returns the new memberships, and why an organization does not take the person
 */
export async function joinByDomain(
  tx: Transaction,
  context: SignInContext,
  { signUp }: OidcProvider,
  personId: string,
  { email, name }: Claims,
): Promise<{ joined: LinkedMember[]; problem?: OidcProblem }> {
  if (signUp === 'invited' || !email.verified) return { joined: [] }
  const { address } = email
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const joined: LinkedMember[] = []
  let problem: OidcProblem | undefined
  const targets = signUp.filter((one) => one.domain === domain)
  for (const target of targets.toSorted((a, b) => (a.organization < b.organization ? -1 : 1))) {
    const result = await join(tx, context, target, { personId, name: name ?? address, address })
    if (result instanceof OidcProblem) problem = result
    else if (result) joined.push(result)
  }
  return problem ? { joined, problem } : { joined }
}

interface Candidate {
  id: string
  personId: string | null
  isThere: boolean
}

/** @returns the new membership, a problem, or undefined if the person is a member already */
async function join(
  tx: Transaction,
  context: SignInContext,
  { organization: orgId, role }: Target,
  { personId, name, address }: { personId: string; name: string; address: string },
): Promise<LinkedMember | OidcProblem | undefined> {
  const { now } = context
  const found = await tx.row(sql`select from organizations where org_id = ${orgId} and deleted_since is null`)
  if (found === undefined)
    return new OidcProblem('not_invited', `OIDC_SIGN_UP names organization ${orgId}, which is not there`)
  const candidates = await tx.rows<Candidate>(sql`
    select id, person_id as "personId", status = 'active' and deleted_at is null as "isThere" from members
    where org_id = ${orgId} and (email = ${address} or person_id = ${personId})
    order by deleted_at is not null, id for no key update`)
  if (candidates.some((one) => one.isThere && one.personId === personId)) return undefined
  const [candidate] = candidates
  if (candidate && !candidate.isThere) return new OidcProblem('membership_ended')
  if (candidate && candidate.personId !== null) return new OidcProblem('address_taken')
  const { emit, changes } = collectChanges(orgId)
  const created = candidate ? undefined : await storedMembers.insert(tx, orgId, { name, email: address, role }, now)
  if (created) emit('member.created', created)
  const { id: memberId } = expected(created ?? candidate, 'A member who joins')
  await linkMember(tx, { orgId, memberId }, { id: personId, email: address, emailVerified: true }, now)
  const member = await tx.row<Member>(sql`
    select ${storedMembers.columns} from members where org_id = ${orgId} and id = ${memberId}`)
  emit('member.joined', expected(member, 'A member who joined'))
  sendChanges(tx, changes, { memberId, keyId: null, requestId: context.requestId }, now)
  return { orgId, memberId }
}
