import { z } from 'zod'
import { refused } from '../contract/errors.ts'
import { useSignInLink } from '../persons/links.ts'
import { endpoint, signIn } from './endpoint.ts'
import { recordForMember } from './recording.ts'

export const links = [
  endpoint('POST /auth/link', {
    body: z.strictObject({ token: z.string().max(100) }),
    async handle(context) {
      const { db, body, services, now } = context
      const { cookies, joined } = await db.transaction(async (tx) => {
        const used = await useSignInLink(tx, body.token, now)
        if (used === undefined)
          throw refused('This sign-in link was used before or has expired; ask for a new one', 'link_invalid')
        if (used.joined) await recordForMember(tx, used.joined, 'member.joined', context)
        return { cookies: await signIn(tx, context, used.personId, 'link'), joined: used.joined }
      })
      if (joined) services.changed(joined.orgId)
      return { cookies }
    },
  }),
]
