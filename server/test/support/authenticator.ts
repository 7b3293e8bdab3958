import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface CreationOptions {
  rp: { id?: string }
  user: { id: string }
  challenge: string
}

interface RequestOptions {
  rpId?: string
  challenge: string
}

interface Credential {
  id: string
  userHandle: string
  privateKey: KeyObject
}

/**
 * An authenticator and the browser before it: ES256, no attestation, one passkey.
 * @param origin of the page
 */
export function softwareAuthenticator(origin: string) {
  const device = {
    origin,
    /** how often it signed; undefined: it does not count, as those that share their passkeys */
    counter: 0 as number | undefined,
    credential: undefined as Credential | undefined,
    create({ rp, user, challenge }: CreationOptions) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const credentialId = randomBytes(32)
      const id = credentialId.toString('base64url')
      device.credential = { id, userHandle: user.id, privateKey }
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const [key, ofKey] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
      // COSE: kty EC2, alg ES256, crv P-256 (RFC 9053 §7.1.1)
      const cose = cbor([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, key],
        [-3, ofKey],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose])
      const authData = Buffer.concat([authenticatorData(rp.id ?? '', presentAndVerified | attestedData), attested])
      const attestationObject = cbor([
        ['fmt', 'none'],
        ['attStmt', []],
        ['authData', authData],
      ])
      return credentialJson(id, {
        clientDataJSON: clientData('webauthn.create', challenge),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      })
    },
    get({ rpId = '', challenge }: RequestOptions) {
      if (device.credential === undefined) throw new Error('It has no passkey')
      const { id, userHandle, privateKey } = device.credential
      if (device.counter !== undefined) device.counter++
      const authData = authenticatorData(rpId, presentAndVerified)
      const clientDataJSON = clientData('webauthn.get', challenge)
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
      const signature = sign('sha256', Buffer.concat([authData, hash]), privateKey).toString('base64url')
      const authenticatorDataText = authData.toString('base64url')
      return credentialJson(id, { clientDataJSON, authenticatorData: authenticatorDataText, signature, userHandle })
    },
  }
  return device

  function clientData(type: string, challenge: string): string {
    const text = JSON.stringify({ type, challenge, origin: device.origin, crossOrigin: false })
    return Buffer.from(text).toString('base64url')
  }

  /** @see WebAuthn §6.1 */
  function authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter ?? 0)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter])
  }
}

const presentAndVerified = 0x05
const attestedData = 0x40

const credentialJson = <Response extends object>(id: string, response: Response) => ({
  ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
  response,
})

type Cbor = string | number | Buffer | [string | number, Cbor][]

/** The little of CBOR that an authenticator needs. A list of pairs is a map. @see RFC 8949 §3 */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.length), ...value.flatMap(([name, item]) => [cbor(name), cbor(item)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
