import { cookieIn } from '../access/sessions.ts'
import { knownBrowser, knownBrowserCookie } from '../persons/known-browsers.ts'
import {
  type AttemptBucket,
  accountBucket,
  browserBucket,
  countAttempt,
  forgetFailures,
  networkBucket,
  withdrawAttempt,
} from '../persons/throttle.ts'
import { isSecure, type SignInContext } from './endpoint.ts'

/** An attempt to prove who somebody is. */
interface Attempt {
  /** attempts for other purposes are counted apart */
  purpose: 'password' | 'forgot' | 'device'
  /** the address that was typed, or the id of the person. It counts alike whether or not somebody has it */
  account?: string
  /** the person of the account; null: nobody has it */
  personId: string | null
}

type ThrottledContext = Pick<SignInContext, 'db' | 'services' | 'headers' | 'address' | 'now'>

/**
 * Makes an attempt. Failed ones delay further ones on the account and from the network. In a browser in which the person signed
 * in before, only the failures of that browser count: others cannot lock the person out.
 * @param work returns undefined if the attempt failed. If it throws, no attempt was made
 * @throws 429 if too many failed before
 */
export async function throttled<T>(
  context: ThrottledContext,
  attempt: Attempt,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { db, now } = context
  const buckets = await bucketsOf(context, attempt)
  await countAttempt(db, buckets, now)
  let result: T | undefined
  try {
    result = await work()
  } catch (error) {
    await db.transaction((tx) => withdrawAttempt(tx, buckets, now))
    throw error
  }
  if (result !== undefined) await db.transaction((tx) => forgetFailures(tx, buckets, now))
  return result
}

async function bucketsOf(
  { db, services, headers, address }: ThrottledContext,
  { purpose, account, personId }: Attempt,
): Promise<AttemptBucket[]> {
  const cookie = cookieIn(headers, knownBrowserCookie(isSecure(services)))
  const browserId = await knownBrowser(db, cookie, personId)
  if (browserId !== undefined && personId !== null) return [browserBucket(purpose, browserId, personId)]
  const network = networkBucket(purpose, address)
  return account === undefined ? [network] : [network, accountBucket(purpose, account)]
}
