import { z } from 'zod'
import { forbidden } from '../contract/errors.ts'
import { Name } from '../contract/fields.ts'
import { acceptInvitation, canAccept, findInvitation } from '../persons/invitations.ts'
import type { SignInSettings } from '../sign-in-config.ts'
import { endpoint, signIn } from './endpoint.ts'
import { recordAcceptance } from './recording.ts'

const token = z.string().max(100)

export const invitations = [
  endpoint('POST /auth/invitation', {
    body: z.strictObject({ token }),
    async handle({ db, body, session, now }) {
      const open = await findInvitation(db, { token: body.token }, now)
      const { organization, name, email, role, invitedBy } = open
      return {
        body: {
          organization: { name: organization },
          member: { name, email },
          role,
          invitedBy: invitedBy === null ? null : { name: invitedBy },
          ...(session && {
            signedInAs: session.person.name,
            canUseExisting: await canAccept(db, open, session.person.id),
          }),
        },
      }
    },
  }),

  endpoint('POST /auth/invitation/accept', {
    body: z.strictObject({ token, name: Name.optional() }),
    async handle(context) {
      const { db, body, services, session, now } = context
      const accepting = session ? { personId: session.person.id } : { name: body.name }
      if (!session) refuseUnlessWayOn(services.settings)
      const { cookies, orgId } = await db.transaction(async (tx) => {
        const accepted = await acceptInvitation(tx, { token: body.token }, accepting, now)
        await recordAcceptance(tx, accepted, context)
        // the link proves nothing about a person who was signed in before: their sign-in does not become a recent one
        const cookies = accepted.isNewPerson ? await signIn(tx, context, accepted.personId, 'link') : []
        return { cookies, orgId: accepted.orgId }
      })
      services.changed(orgId)
      return { cookies }
    },
  }),
]

/** Somebody new must be able to set up a way to sign in afterwards. @throws 403 */
function refuseUnlessWayOn({ ways, providers }: SignInSettings): void {
  if (ways.includes('passkey') || ways.includes('password')) return
  const names = providers.map(({ name }) => name).join(' or ')
  throw forbidden(`Accept this invitation by signing in with ${names}; this server has no other way`, 'way_off')
}
