import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import { signInFailed } from '../contract/errors.ts'
import { lockCredential, type PasskeyCredential, recordPasskeyUse, userHandle } from '../persons/passkeys.ts'
import { Base64Url, makeChallenge, useChallenge } from './challenges.ts'
import { endpoint, signIn } from './endpoint.ts'
import { type RelyingParty, relyingParty } from './relying-party.ts'

// PublicKeyCredential.toJSON() of a browser; the server reads only these fields
const Assertion = z.object({
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url,
  }),
})

/** The requests that sign in with a passkey. The browser lists the person's passkeys, so nobody types an address. */
export const passkeys = [
  endpoint('POST /auth/passkey/options', {
    async handle(context) {
      const { id: rpID } = relyingParty(context)
      const { challenge, cookie } = await makeChallenge(context, 'passkey', null)
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: Buffer.from(challenge, 'base64url'),
        userVerification: 'preferred',
      })
      return { body: { options }, cookies: [cookie] }
    },
  }),

  endpoint('POST /auth/passkey', {
    body: z.strictObject({ response: Assertion }),
    async handle(context) {
      const { db, services, body, now } = context
      const party = relyingParty(context)
      const { response } = body
      const used = await useChallenge(context, 'passkey', response.response.clientDataJSON)
      if (used === undefined) throw failed()
      const cookies = await db.transaction(async (tx) => {
        const passkey = await lockCredential(tx, Buffer.from(response.id, 'base64url'))
        if (passkey === undefined) throw failed()
        const verified = await verify(response, used.challenge, party, passkey).catch(logReason)
        const isOfPerson = response.response.userHandle === userHandle(passkey.personId).toString('base64url')
        if (!verified || !isOfPerson) throw failed()
        await recordPasskeyUse(tx, passkey.id, verified, now)
        return await signIn(tx, context, passkey.personId, 'passkey')
      })
      return { cookies }

      function logReason({ message }: Error): undefined {
        services.logger.info({ reason: message.slice(0, 300) }, 'a passkey was refused')
      }
    },
  }),
]

const failed = () => signInFailed('The server does not accept this passkey; try again, or use another way to sign in')

/** @throws an error of the library if the response is wrong, or if the counter went back: then somebody copied the passkey */
async function verify(
  response: z.output<typeof Assertion>,
  expectedChallenge: string,
  party: RelyingParty,
  { credentialId, publicKey, counter }: PasskeyCredential,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: Buffer.from(credentialId).toString('base64url'), publicKey, counter },
    requireUserVerification: false,
  })
  const { newCounter, credentialBackedUp: backedUp } = authenticationInfo
  return verified ? { counter: newCounter, backedUp } : undefined
}
