import { z } from 'zod'
import { sql } from '../db/sql.ts'
import { membershipsOf, waysOfPerson } from '../persons/persons.ts'
import { endSessions } from '../persons/sessions.ts'
import { endingCookie, endpoint } from './endpoint.ts'
import { recordOwnChange } from './recording.ts'
import { passkeyProblem } from './relying-party.ts'

export const sessions = [
  endpoint('GET /auth/ways', {
    handle: async ({ services: { settings, publicUrl } }) => ({
      body: {
        ways: settings.ways.filter((way) => way !== 'passkey' || passkeyProblem(new URL(publicUrl())) === undefined),
        providers: settings.ways.includes('oidc')
          ? settings.providers.map(({ issuer, name }) => ({ issuer, name }))
          : [],
        mail: settings.mail !== undefined,
      },
    }),
  }),

  endpoint('GET /auth/session', {
    session: 'required',
    async handle({ db, session: { person, signedInAtMs } }) {
      const { name, email, emailVerified } = person
      const organizations = await membershipsOf(db, person.id)
      return {
        body: {
          person: { name, email, emailVerified, ...(await waysOfPerson(db, person.id)) },
          signedInAt: new Date(signedInAtMs).toISOString(),
          organizations: organizations.map(({ id, name, role }) => ({ id, name, role })),
        },
      }
    },
  }),

  endpoint('POST /auth/sign-out', {
    body: z.strictObject({ everywhere: z.boolean().optional() }),
    async handle(context) {
      const { db, services, session, body } = context
      if (session && !body.everywhere) await db.transaction((tx) => endSessions(tx, sql`id = ${session.id}`))
      if (session && body.everywhere) {
        const organizations = await db.transaction(async (tx) => {
          await endSessions(tx, sql`person_id = ${session.person.id}`)
          return recordOwnChange(tx, { ...context, session }, 'sessions_ended')
        })
        organizations.forEach(services.changed)
      }
      return { cookies: [endingCookie(services)] }
    },
  }),
]
