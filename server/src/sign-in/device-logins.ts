import { z } from 'zod'
import { newKey } from '../access/keys.ts'
import { refuseUnlessRecent } from '../access/sessions.ts'
import { ApiError, badRequest, forbidden, orNotFound } from '../contract/errors.ts'
import { Id, Moment, Name } from '../contract/fields.ts'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { collectChanges } from '../events/outbox.ts'
import { queueSignInChanged } from '../mail/sign-in-changed.ts'
import { sendChanges } from '../operations/changes.ts'
import {
  type AskedLogin,
  askDeviceLogin,
  askEveryMs,
  beginDeviceLogin,
  decideDeviceLogin,
  deviceLoginMs,
  openDeviceLogin,
  userCodeFrom,
} from '../persons/device-logins.ts'
import { membershipsOf, type Person, personColumns } from '../persons/persons.ts'
import type { LiveSession } from '../persons/sessions.ts'
import { refuseIfManyKeys, Scopes, storeKey } from '../resources/api-keys/api-key.ts'
import { endpoint, type SignInContext } from './endpoint.ts'
import { throttled } from './throttling.ts'

/** The command line signs in without a pasted key: the person approves it in the browser. @see RFC 8628 */
export const deviceLogins = [
  endpoint('POST /auth/device', {
    body: z.strictObject({ name: Name }),
    async handle({ db, services, body, address, now }) {
      const codes = await db.transaction((tx) => beginDeviceLogin(tx, { name: body.name, address }, now))
      if (codes === undefined) throw tooMany()
      const userCode = `${codes.userCode.slice(0, 4)}-${codes.userCode.slice(4)}`
      const verificationUri = `${services.publicUrl()}/console/device`
      const times = { expiresIn: deviceLoginMs / 1_000, interval: askEveryMs / 1_000 }
      const verificationUriComplete = `${verificationUri}#code=${userCode}`
      return { body: { deviceCode: codes.deviceCode, userCode, verificationUri, verificationUriComplete, ...times } }
    },
  }),

  endpoint('POST /auth/device/token', {
    body: z.strictObject({ deviceCode: z.string().max(100) }),
    async handle(context) {
      const { db, services, body, now } = context
      // a refusal must not roll back what it notes
      const made = await db.transaction(async (tx) => {
        const login = await askDeviceLogin(tx, body.deviceCode, now)
        if (login === undefined) return 'expired_token'
        if (login.denied) return 'access_denied'
        if (login.memberId === null) return login.isEarly ? 'slow_down' : 'authorization_pending'
        const key = await makeKey(tx, login, context)
        if (typeof key !== 'string' && services.settings.mail) await tellPerson(tx, login, now)
        return key
      })
      if (typeof made === 'string') throw badRequest(refusals[made], made)
      services.changed(made.organization.id)
      return { body: made }
    },
  }),

  endpoint('GET /auth/device/{userCode}', {
    session: 'required',
    handle: async (context) => ({
      body: await byCode(context, (userCode) => openDeviceLogin(context.db, userCode, context.now)),
    }),
  }),

  endpoint('POST /auth/device/{userCode}/approve', {
    session: 'required',
    body: z.strictObject({ organization: Id, scopes: Scopes, expiresAt: Moment.nullable() }),
    async handle(context) {
      const { db, session, body, now } = context
      const { person } = session
      if (body.expiresAt === null) refuseUnlessRecent({ session })
      const membership = (await membershipsOf(db, person.id)).find((one) => one.id === body.organization)
      if (membership === undefined) throw forbidden('You are not a member of this organization', 'not_a_member')
      const { id: orgId, memberId } = membership
      const approval = { orgId, memberId, scopes: body.scopes, keyExpiresAt: body.expiresAt }
      await byCode(context, (userCode) => db.transaction((tx) => decideDeviceLogin(tx, userCode, approval, now)))
      return {}
    },
  }),

  endpoint('POST /auth/device/{userCode}/deny', {
    session: 'required',
    async handle(context) {
      const { db, now } = context
      await byCode(context, (userCode) => db.transaction((tx) => decideDeviceLogin(tx, userCode, undefined, now)))
      return {}
    },
  }),
]

/** Finds or decides a login by its code. Wrong codes are throttled, because codes are short. @throws 404, 429 */
async function byCode<T>(
  context: SignInContext & { session: LiveSession },
  work: (userCode: string) => Promise<T | false | undefined>,
): Promise<T> {
  const { id } = context.session.person
  const attempt = { purpose: 'device', account: id, personId: id } as const
  const userCode = userCodeFrom(context.params.userCode ?? '')
  return orNotFound(await throttled(context, attempt, async () => (await work(userCode)) || undefined))
}

// the codes are those of RFC 8628 §3.5
const refusals = {
  authorization_pending: 'Nobody has approved this login yet',
  slow_down: 'This device asks too often; wait 5 seconds longer',
  access_denied: 'The login was denied',
  expired_token: 'The login was not approved in time, or its key was given out before',
}

const tooMany = () =>
  new ApiError(429, 'Too many logins from this network wait for an approval; wait ten minutes', 'too_many_attempts', {
    headers: { 'retry-after': String(deviceLoginMs / 1_000) },
  })

/** Mails the person that a key was made: perhaps somebody else approved it. */
async function tellPerson(tx: Transaction, { orgId, memberId, name }: AskedLogin, now: string): Promise<void> {
  const member = await tx.row<{ personId: string | null }>(sql`
    select person_id as "personId" from members where org_id = ${orgId} and id = ${memberId}`)
  const person = await tx.row<Person>(sql`select ${personColumns} from persons where id = ${member?.personId ?? null}`)
  if (person) await queueSignInChanged(tx, { person, change: 'key_made', what: name }, now)
}

/** Makes the key of an approved login, if its member is still active. Only the device gets the secret. */
async function makeKey(
  tx: Transaction,
  login: AskedLogin,
  { now, requestId }: Pick<SignInContext, 'now' | 'requestId'>,
) {
  const { orgId, memberId, name, scopes, keyExpiresAt: expiresAt } = login
  const organization = await tx.row<{ id: string; name: string }>(sql`
    select organizations.org_id as id, organizations.name from members
    join organizations on organizations.org_id = members.org_id and organizations.deleted_since is null
    where members.org_id = ${orgId} and members.id = ${memberId} and members.status = 'active'
      and members.deleted_at is null for no key update of members`)
  if (orgId === null || memberId === null || organization === undefined) return 'access_denied' as const
  await refuseIfManyKeys(tx, orgId, memberId, now)
  const key = newKey(orgId)
  const fields = { memberId, name, scopes: scopes ?? [], expiresAt, by: { memberId, keyId: null } }
  const { emit, changes } = collectChanges(orgId)
  emit('api_key.created', await storeKey(tx, orgId, key, fields, now))
  sendChanges(tx, changes, { memberId, keyId: null, requestId }, now)
  return { secret: key.secret, organization }
}
