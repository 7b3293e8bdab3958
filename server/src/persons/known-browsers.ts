import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { nilId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'

/** The name of the cookie by which the server knows a browser again. @see RFC 6265bis §4.1.3 about the prefix */
export const knownBrowserCookie = (isSecure: boolean) => (isSecure ? '__Host-tw_known' : 'tw_known')

/** The longest time that browsers keep a cookie. @see RFC 6265bis §5.5 */
export const knownBrowserSeconds = 400 * 86_400

// people who share a browser
const mostPersons = 5
// a random id of the browser, then a mark for each person who signed in with it; base64url of 16 bytes each
const form = /^[\w-]{22}(\.[\w-]{22}){1,5}$/

/**
 * Marks a browser as one in which a person signed in. A mark is an HMAC, so only this server makes one, and it names nobody.
 * @param value the cookie that the browser sent, right or wrong
 * @returns the new value of the cookie
 * @see OWASP, Slow Down Online Guessing Attacks with Device Cookies
 */
export async function markBrowser(db: Db, value: string | undefined, personId: string): Promise<string> {
  const [browserId = '', ...marks] = value !== undefined && form.test(value) ? value.split('.') : [newBrowserId()]
  const mark = markOf(await secretOf(db), browserId, personId)
  return [browserId, mark, ...marks.filter((other) => other !== mark).slice(0, mostPersons - 1)].join('.')
}

/**
 * Finds out whether a person signed in with a browser before.
 * @param value the cookie that the browser sent
 * @param personId null: no person has the address. This takes as long as for a person
 * @returns the id of the browser
 */
export async function knownBrowser(
  db: Db,
  value: string | undefined,
  personId: string | null,
): Promise<string | undefined> {
  if (value === undefined || !form.test(value)) return undefined
  const [browserId = '', ...marks] = value.split('.')
  const mark = Buffer.from(markOf(await secretOf(db), browserId, personId ?? nilId))
  const isKnown = marks.some((other) => timingSafeEqual(Buffer.from(other), mark))
  return isKnown && personId !== null ? browserId : undefined
}

const newBrowserId = () => randomBytes(16).toString('base64url')

const markOf = (secret: Buffer, browserId: string, personId: string): string =>
  createHmac('sha256', secret).update(`${browserId}.${personId}`).digest().subarray(0, 16).toString('base64url')

async function secretOf(db: Db): Promise<Buffer> {
  const row = await db.row<{ secret: Buffer }>(sql`select secret from instance`)
  const { secret } = expected(row, 'The row of the instance')
  return Buffer.from(hkdfSync('sha256', secret, '', 'taskwright known browser', 32))
}
