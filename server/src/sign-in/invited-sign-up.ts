import { ApiError } from '../contract/errors.ts'
import type { Transaction } from '../db/pool/database.ts'
import type { Claims } from '../oidc/claims.ts'
import { acceptInvitation, openInvitationsFor } from '../persons/invitations.ts'
import type { LinkedMember } from '../persons/links.ts'
import type { SignInContext } from './endpoint.ts'
import { recordAcceptance } from './recording.ts'

/** Accepts the invitations of a verified address, so that its owner need not open the links. */
export async function joinByAddress(
  tx: Transaction,
  context: SignInContext,
  personId: string,
  { email }: Claims,
): Promise<LinkedMember[]> {
  if (!email.verified) return []
  const joined: LinkedMember[] = []
  for (const invitation of await openInvitationsFor(tx, email.address, context.now)) {
    const accepted = await acceptInvitation(tx, invitation, { personId }, context.now).catch(nothingIfRefused)
    if (accepted === undefined) continue
    await recordAcceptance(tx, accepted, context)
    joined.push(accepted)
  }
  return joined
}

/** The person is another member of the organization, or the invitation was withdrawn meanwhile. */
function nothingIfRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
