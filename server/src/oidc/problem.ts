/**
 * Why a sign-in with a provider failed. The console gets the code in `#sign-in-error=<code>`, so that nobody can put a text of
 * their own into a link. A code never changes its meaning.
 */
export const oidcProblems = {
  way_off: 'Signing in with this provider is off on this server.',
  provider_unreachable: 'The provider did not answer in time. Try again, or use another way to sign in.',
  provider_misconfigured:
    'The provider sent an answer that the server cannot use. Ask the operator to run taskwright doctor --oidc.',
  client_refused: 'The provider does not accept the client id, the client secret or the redirect URI of this server.',
  provider_refused: 'The provider refused the sign-in.',
  sign_in_cancelled: 'The sign-in was cancelled at the provider.',
  sign_in_expired: 'This sign-in took longer than 10 minutes, or was used before. Start it again.',
  other_browser: 'This sign-in was started in another browser. Start it again in this one.',
  code_refused:
    'The provider does not accept the code of this sign-in, because it was used before or is not for this server.',
  id_token_invalid: 'The ID token of the provider is not valid for this sign-in.',
  clocks_differ: 'The ID token has expired or is not valid yet. Check the clocks of the server and of the provider.',
  other_provider: 'The answer is not from the provider that you chose. Start the sign-in again.',
  subject_missing: 'The provider did not send the claim sub.',
  email_missing:
    'The provider did not send the claim email. Open the link of your invitation, or ask the operator to request the scope email.',
  email_invalid: 'The claim email is not an e-mail address that the server accepts.',
  email_verified_missing:
    'The provider did not send the claim email_verified, so the address counts as not verified. Open the link of your invitation.',
  email_verified_not_boolean:
    'The claim email_verified is a text, not true, so the address counts as not verified. Open the link of your invitation.',
  email_not_verified:
    'The provider says that your address is not verified. Verify it there, or open the link of your invitation.',
  not_invited: 'Nobody invited this address. Ask an owner or admin for an invitation.',
  address_taken:
    'Another person uses your address in the organization without having proved it. Ask an owner or admin.',
  membership_ended: 'You are no longer an active member of an organization here.',
  link_invalid: 'This invitation was used, withdrawn or has expired. Ask for a new one.',
  already_joined: 'Another person has joined with this invitation.',
  other_person: 'You are a member of this organization already, so the invitation is for another person.',
  sign_in_first:
    'You sign in on this server already. Sign in your usual way, then open the link of the invitation again.',
  identity_taken: 'This account at the provider belongs to another person here.',
  sign_in_again: 'The server needs a new sign-in to confirm that it is you. Sign in again.',
  internal: 'The sign-in failed because of an error of the server. Try again.',
} as const

/** The code of a failed sign-in with a provider. */
export type OidcProblemCode = keyof typeof oidcProblems

/** A sign-in with a provider failed. */
export class OidcProblem extends Error {
  readonly code: OidcProblemCode
  /** for the log of the operator; never shown to the person */
  readonly detail: string

  constructor(code: OidcProblemCode, detail = '', options?: ErrorOptions) {
    super(oidcProblems[code], options)
    this.code = code
    this.detail = detail
  }
}
