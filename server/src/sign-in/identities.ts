import { notFound, orNotFound } from '../contract/errors.ts'
import { isUuid } from '../operations/run-operation.ts'
import { identitiesOf, removeIdentity } from '../persons/identities.ts'
import { lockPerson } from '../persons/persons.ts'
import { endpoint } from './endpoint.ts'
import { recordForPerson } from './recording.ts'

/** The requests with which a person manages their accounts at providers. */
export const identities = [
  endpoint('GET /me/identities', {
    session: 'required',
    async handle({ db, services: { settings }, session: { person } }) {
      const list = await identitiesOf(db.own, person.id)
      const nameOf = (issuer: string) => settings.providers.find((one) => one.issuer === issuer)?.name ?? issuer
      return {
        body: {
          data: list.map(({ personId, ...shown }) => ({ ...shown, provider: nameOf(shown.issuer) })),
        },
      }
    },
  }),

  endpoint('DELETE /me/identities/{id}', {
    session: 'recent',
    async handle(context) {
      const { db, services, session, params } = context
      const { id: personId } = session.person
      const { id = '' } = params
      if (!isUuid(id)) throw notFound()
      const organizations = await db.transaction(async (tx) => {
        await lockPerson(tx, personId)
        orNotFound(await removeIdentity(tx, personId, id))
        return recordForPerson(tx, personId, context)
      })
      organizations.forEach(services.changed)
      return {}
    },
  }),
]
