import { notFound, orNotFound } from '../contract/errors.ts'
import { isUuid } from '../operations/run-operation.ts'
import { identitiesOf, removeIdentity } from '../persons/identities.ts'
import { lockPerson } from '../persons/persons.ts'
import { endpoint, type SignInServices } from './endpoint.ts'
import { refuseLastWay } from './last-way.ts'
import { recordOwnChange } from './recording.ts'

/** The requests with which a person manages their accounts at providers. */
export const identities = [
  endpoint('GET /me/identities', {
    session: 'required',
    async handle({ db, services, session: { person } }) {
      const list = await identitiesOf(db.own, person.id)
      return {
        body: {
          data: list.map(({ personId, ...shown }) => ({ ...shown, provider: providerName(services, shown.issuer) })),
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
        const removed = orNotFound((await identitiesOf(tx, personId)).find((one) => one.id === id.toLowerCase()))
        await refuseLastWay(tx, personId, services.settings.ways, 'oidc')
        await removeIdentity(tx, personId, removed.id)
        return recordOwnChange(tx, context, 'identity_removed', providerName(services, removed.issuer))
      })
      organizations.forEach(services.changed)
      return {}
    },
  }),
]

/** The name of a provider in the settings, or its issuer if it is not there any more. */
const providerName = ({ settings }: SignInServices, issuer: string): string =>
  settings.providers.find((one) => new URL(one.issuer).href === new URL(issuer).href)?.name ?? issuer
