import { notFound, orNotFound } from '../contract/errors.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../operations/run-operation.ts'
import { endSessions, sessionsOf } from '../persons/sessions.ts'
import { deviceName } from './device-name.ts'
import { endingCookie, endpoint } from './endpoint.ts'
import { recordOwnChange } from './recording.ts'

/** The requests with which a person sees where they are signed in, and signs out there. */
export const ownSessions = [
  endpoint('GET /me/sessions', {
    session: 'required',
    async handle({ db, session: { id: current, person }, now }) {
      const sessions = await sessionsOf(db, person.id, Date.parse(now))
      const data = sessions.map((one) => ({
        ...one,
        current: one.id === current,
        device: deviceName(one.userAgent),
      }))
      return { body: { data } }
    },
  }),

  endpoint('DELETE /me/sessions/{id}', {
    session: 'required',
    async handle(context) {
      const { db, services, session, params, now } = context
      const { id: personId } = session.person
      const { id = '' } = params
      if (!isUuid(id)) throw notFound()
      const isCurrent = id === session.id
      const organizations = await db.transaction(async (tx) => {
        const { userAgent } = orNotFound((await sessionsOf(tx, personId, Date.parse(now))).find((one) => one.id === id))
        await endSessions(tx, sql`id = ${id} and person_id = ${personId}`)
        // to sign out here is no change of how the person signs in
        return isCurrent ? [] : recordOwnChange(tx, context, 'session_ended', deviceName(userAgent))
      })
      organizations.forEach(services.changed)
      return isCurrent ? { cookies: [endingCookie(services)] } : {}
    },
  }),
]
