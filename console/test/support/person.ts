import type { Page } from 'playwright-core'
import { makeSignInLink } from '../../../server/src/persons/links.ts'
import type { Api, sharedServer, World } from '../../../server/test/support/world.ts'

type Server = Pick<Awaited<ReturnType<typeof sharedServer>>, 'db' | 'port'>

/** The address of a server by which browsers use passkeys, which need a name. */
export const namedBase = ({ port }: Pick<Server, 'port'>) => `http://localhost:${port}`

/** A sign-in link of the operator for a member. */
export const signInLink = (server: Server, { orgId }: Pick<World, 'orgId'>, { memberId }: Pick<Api, 'memberId'>) =>
  server.db.transaction((tx) => makeSignInLink(tx, { orgId, memberId }, namedBase(server), new Date().toISOString()))

/** Opens a path of the console as the person who is a member: by a link, without setting up another way to sign in. */
export async function signedInByLink(
  page: Page,
  server: Server,
  world: Pick<World, 'orgId'>,
  member: Pick<Api, 'memberId'>,
  path = '/console',
): Promise<void> {
  await page.goto(await signInLink(server, world, member))
  const content = page.locator('main#content')
  const skip = page.getByRole('button', { name: 'Skip for now' })
  await skip.or(content).first().waitFor()
  if (await skip.isVisible()) await skip.click()
  await content.waitFor()
  if (path !== '/console') {
    await page.goto(namedBase(server) + path)
    await content.waitFor()
  }
}

/** Makes a page offer passkeys by its button alone, as browsers do that do not list them in a field. */
export const offerNoList = (page: Page) =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

/**
 * Gives a page a place for passkeys, which stays as long as the page. It confirms each request at once, also one for the list of
 * a field.
 */
export async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return {
    /** how many passkeys it holds */
    count: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
