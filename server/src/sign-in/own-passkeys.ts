import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import { invalid, notFound, orNotFound, refused } from '../contract/errors.ts'
import { text } from '../contract/fields.ts'
import { isUuid } from '../operations/run-operation.ts'
import {
  credentialsOf,
  deletePasskey,
  insertPasskey,
  mostPasskeys,
  type PasskeyCredential,
  passkeysOf,
  renamePasskey,
  userHandle,
} from '../persons/passkeys.ts'
import { lockPerson } from '../persons/persons.ts'
import { Base64Url, makeChallenge, useChallenge } from './challenges.ts'
import { deviceName } from './device-name.ts'
import { endpoint } from './endpoint.ts'
import { refuseLastWay } from './last-way.ts'
import { recordOwnChange } from './recording.ts'
import { type RelyingParty, relyingParty } from './relying-party.ts'

const PasskeyName = text(1, 60)

// PublicKeyCredential.toJSON() of a browser; the server reads only these fields
const Attestation = z.object({
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .default([]),
  }),
})

// ES256 and RS256: every authenticator has one of them, and every version of Node checks both
const algorithms = [-7, -257]

/** The requests with which a person manages their passkeys. */
export const ownPasskeys = [
  endpoint('GET /me/passkeys', {
    session: 'required',
    handle: async ({ db, session: { person } }) => ({ body: { data: await passkeysOf(db, person.id) } }),
  }),

  endpoint('POST /me/passkeys/options', {
    session: 'recent',
    async handle(context) {
      const { db, session } = context
      const { person } = session
      const { id: rpID } = relyingParty(context)
      const credentials = await credentialsOf(db, person.id)
      if (credentials.length >= mostPasskeys) throw tooMany()
      const { challenge, cookie } = await makeChallenge(context, 'new_passkey', person.id)
      const options = await generateRegistrationOptions({
        ...{ rpName: 'Taskwright', rpID },
        ...{ userID: userHandle(person.id), userName: person.email ?? person.name, userDisplayName: person.name },
        challenge: Buffer.from(challenge, 'base64url'),
        attestationType: 'none',
        excludeCredentials: credentials.map(({ credentialId, transports }) => ({
          id: Buffer.from(credentialId).toString('base64url'),
          transports,
        })),
        // discoverable: the person signs in without typing an address
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        supportedAlgorithmIDs: algorithms,
      })
      return { body: { options }, cookies: [cookie] }
    },
  }),

  endpoint('POST /me/passkeys', {
    body: z.strictObject({ response: Attestation, name: PasskeyName.optional() }),
    session: 'recent',
    async handle(context) {
      const { db, services, body, session, now } = context
      const { id: personId } = session.person
      const party = relyingParty(context)
      const used = await useChallenge(context, 'new_passkey', body.response.response.clientDataJSON)
      if (used?.personId !== personId) throw notAccepted('The passkey took longer than 5 minutes; create it again')
      const credential = await verify(body.response, used.challenge, party).catch(({ message }: Error) => {
        services.logger.info({ reason: message.slice(0, 300) }, 'a new passkey was refused')
      })
      if (!credential) throw notAccepted('The server does not accept this passkey; create another one')
      const name = body.name ?? deviceName(context.userAgent)
      const { passkey, organizations } = await db.transaction(async (tx) => {
        await lockPerson(tx, personId)
        if ((await credentialsOf(tx, personId)).length >= mostPasskeys) throw tooMany()
        const passkey = await insertPasskey(tx, personId, { ...credential, name }, now)
        if (passkey === undefined) throw notAccepted('This passkey is stored already')
        return { passkey, organizations: await recordOwnChange(tx, context, 'passkey_added', name) }
      })
      organizations.forEach(services.changed)
      return { status: 201, body: passkey }
    },
  }),

  endpoint('PATCH /me/passkeys/{id}', {
    body: z.strictObject({ name: PasskeyName }),
    session: 'required',
    async handle({ db, body, session, params: { id = '' } }) {
      if (!isUuid(id)) throw notFound()
      const renamed = await db.transaction((tx) => renamePasskey(tx, session.person.id, id, body.name))
      return { body: orNotFound(renamed) }
    },
  }),

  endpoint('DELETE /me/passkeys/{id}', {
    session: 'recent',
    async handle(context) {
      const { db, services, session, params } = context
      const { id: personId } = session.person
      const { id = '' } = params
      if (!isUuid(id)) throw notFound()
      const organizations = await db.transaction(async (tx) => {
        await lockPerson(tx, personId)
        const { name } = orNotFound((await passkeysOf(tx, personId)).find((one) => one.id === id))
        await refuseLastWay(tx, personId, services.settings.ways, 'passkey')
        await deletePasskey(tx, personId, id)
        return recordOwnChange(tx, context, 'passkey_removed', name)
      })
      organizations.forEach(services.changed)
      return {}
    },
  }),
]

const tooMany = () => refused(`You can have ${mostPasskeys} passkeys; remove one first`, 'no_room')
const notAccepted = (message: string) => invalid({ response: [message] })

/** @throws an error of the library if the response is wrong */
async function verify(
  { response, ...credential }: z.output<typeof Attestation>,
  expectedChallenge: string,
  party: RelyingParty,
): Promise<(PasskeyCredential & { backedUp: boolean }) | undefined> {
  const { transports, ...signed } = response
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, response: signed, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  })
  if (registrationInfo === undefined) return undefined
  const { id, publicKey, counter } = registrationInfo.credential
  const credentialId = Buffer.from(id, 'base64url')
  return { credentialId, publicKey, counter, transports, backedUp: registrationInfo.credentialBackedUp }
}
