import { z } from 'zod'
import { sql } from '../db/sql.ts'
import { membershipsOf, waysOfPerson } from '../persons/persons.ts'
import { endSessions } from '../persons/sessions.ts'
import { endingCookie, endpoint } from './endpoint.ts'

export const sessions = [
  endpoint('GET /auth/ways', {
    handle: async ({ services: { settings } }) => ({
      body: {
        ways: settings.ways,
        providers: settings.ways.includes('oidc')
          ? settings.providers.map(({ issuer, name }) => ({ issuer, name }))
          : [],
        mail: settings.mail !== undefined,
      },
    }),
  }),

  endpoint('GET /auth/session', {
    session: 'required',
    async handle({ db, session: { person, signedInAt } }) {
      const { name, email, emailVerified } = person
      const organizations = await membershipsOf(db, person.id)
      return {
        body: {
          person: { name, email, emailVerified, ...(await waysOfPerson(db, person.id)) },
          signedInAt,
          organizations: organizations.map(({ id, name, role }) => ({ id, name, role })),
        },
      }
    },
  }),

  endpoint('POST /auth/sign-out', {
    body: z.strictObject({ everywhere: z.boolean().optional() }),
    async handle({ db, services, session, body }) {
      if (session) {
        const which = body.everywhere ? sql`person_id = ${session.person.id}` : sql`id = ${session.id}`
        await db.transaction((tx) => endSessions(tx, which))
      }
      return { cookies: [endingCookie(services)] }
    },
  }),
]
