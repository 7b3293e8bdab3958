import { randomBytes, randomInt } from 'node:crypto'
import { tokenHash } from '../access/sessions.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'
import { networkOf } from './throttle.ts'

/** How long a login waits for its approval. */
export const deviceLoginMs = 10 * 60_000
/** How often a device may ask whether it was approved. */
export const askEveryMs = 5_000

/** A login of the command line, as the person who approves it sees it. */
interface DeviceLogin {
  name: string
  /** the address that the login came from */
  address: string
  createdAt: string
  expiresAt: string
}

/** The state of a login, as the device learns it. */
export interface AskedLogin {
  name: string
  denied: boolean
  /** whether the device asked again too early */
  isEarly: boolean
  /** null: nobody has decided yet */
  orgId: string | null
  memberId: string | null
  scopes: string[] | null
  keyExpiresAt: string | null
}

// no vowels, so that no words appear, and no letters that look alike @see RFC 8628 §6.1
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const mostOfNetwork = 20

/**
 * Begins a login.
 * @returns the code that only the device knows, and the code that the person compares; undefined if too many logins from this
 * network wait
 */
export async function beginDeviceLogin(
  db: Db,
  { name, address }: Pick<DeviceLogin, 'name' | 'address'>,
  now: string,
): Promise<{ deviceCode: string; userCode: string } | undefined> {
  const deviceCode = randomBytes(32).toString('base64url')
  const userCode = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  const expiresAt = new Date(Date.parse(now) + deviceLoginMs).toISOString()
  const row = {
    id: newId(),
    deviceHash: tokenHash(deviceCode),
    userCode,
    deviceName: name,
    address: address.slice(0, 64),
    network: networkOf(address),
  }
  const waiting = await db.row<{ count: number }>(sql`
    select count(*)::int as count from device_logins where network = ${row.network} and expires_at > ${now}`)
  if ((waiting?.count ?? 0) >= mostOfNetwork) return undefined
  await db.rows(sql`insert into device_logins ${sql.values({ ...row, createdAt: now, expiresAt })}`)
  return { deviceCode, userCode }
}

/** Reads a code as people type it: in any case, with or without the hyphen. */
export const userCodeFrom = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '')

/** Finds a login that nobody has decided on yet. */
export const openDeviceLogin = (db: Db, userCode: string, now: string): Promise<DeviceLogin | undefined> =>
  db.row(sql`
    select device_name as name, address, created_at as "createdAt", expires_at as "expiresAt" from device_logins
    where user_code = ${userCode} and expires_at > ${now} and member_id is null and not denied`)

interface Approval {
  orgId: string
  memberId: string
  scopes: readonly string[]
  keyExpiresAt: string | null
}

/** Approves or denies a login. @returns whether it was still open */
export async function decideDeviceLogin(
  db: Db,
  userCode: string,
  approval: Approval | undefined,
  now: string,
): Promise<boolean> {
  const decision = approval === undefined ? { denied: true } : approval
  const decided = await db.row(sql`
    update device_logins set ${sql.set({ ...decision })}
    where user_code = ${userCode} and expires_at > ${now} and member_id is null and not denied returning id`)
  return decided !== undefined
}

/**
 * Tells the device how its login stands, and notes when it asked. A decided login is deleted: its answer is given once.
 * @returns undefined if the code is wrong, was used or has expired
 */
export async function askDeviceLogin(db: Db, deviceCode: string, now: string): Promise<AskedLogin | undefined> {
  const hash = tokenHash(deviceCode)
  const early = new Date(Date.parse(now) - askEveryMs + 500).toISOString()
  const login = await db.row<AskedLogin>(sql`
    select device_name as name, denied, coalesce(last_asked_at > ${early}, false) as "isEarly", org_id as "orgId",
      member_id as "memberId", scopes, key_expires_at as "keyExpiresAt"
    from device_logins where device_hash = ${hash} and expires_at > ${now} for update`)
  if (login === undefined) return undefined
  if (login.denied || login.memberId !== null) await db.rows(sql`delete from device_logins where device_hash = ${hash}`)
  else await db.rows(sql`update device_logins set last_asked_at = ${now} where device_hash = ${hash}`)
  return login
}
