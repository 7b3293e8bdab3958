import { deviceLogins } from './device-logins.ts'
import type { Endpoint } from './endpoint.ts'
import { forgottenPasswords } from './forgotten-passwords.ts'
import { identities } from './identities.ts'
import { invitations } from './invitations.ts'
import { links } from './links.ts'
import { oidc } from './oidc.ts'
import { ownPasskeys } from './own-passkeys.ts'
import { ownPassword } from './own-password.ts'
import { ownSessions } from './own-sessions.ts'
import { passkeys } from './passkeys.ts'
import { passwords } from './passwords.ts'
import { sessions } from './sessions.ts'

/** All requests about signing in. */
export const endpoints: readonly Endpoint[] = [
  ...sessions,
  ...ownSessions,
  ...links,
  ...passwords,
  ...forgottenPasswords,
  ...ownPassword,
  ...passkeys,
  ...ownPasskeys,
  ...oidc,
  ...identities,
  ...deviceLogins,
  ...invitations,
]
