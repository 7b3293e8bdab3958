import { deviceLogins } from './device-logins.ts'
import type { Endpoint } from './endpoint.ts'
import { identities } from './identities.ts'
import { invitations } from './invitations.ts'
import { links } from './links.ts'
import { oidc } from './oidc.ts'
import { ownPasskeys } from './own-passkeys.ts'
import { ownSessions } from './own-sessions.ts'
import { passkeys } from './passkeys.ts'
import { sessions } from './sessions.ts'

/** All requests about signing in. */
export const endpoints: readonly Endpoint[] = [
  ...sessions,
  ...ownSessions,
  ...links,
  ...passkeys,
  ...ownPasskeys,
  ...oidc,
  ...identities,
  ...deviceLogins,
  ...invitations,
]
