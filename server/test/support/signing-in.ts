import assert from 'node:assert/strict'
import { makeSignInLink } from '../../src/persons/links.ts'
import { type Browser, openBrowser } from './browser.ts'
import type { startServer } from './world.ts'

type Signing = Pick<Awaited<ReturnType<typeof startServer>>, 'base' | 'db'>

/** Signs a member in by a link of the operator. */
export async function signedIn(
  { base, db }: Signing,
  { orgId }: { orgId: string },
  { memberId }: { memberId: string },
  headers?: Record<string, string>,
): Promise<Browser> {
  const now = new Date().toISOString()
  const link = await db.transaction((tx) => makeSignInLink(tx, { orgId, memberId }, base, now))
  const browser = openBrowser(base, headers)
  const { status, text } = await browser.post('/auth/link', { token: link.split('#welcome=')[1] })
  assert.equal(status, 204, text)
  return browser
}
