import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sharedServer, startServer } from '../../../server/test/support/world.ts'
import { refusals } from './accessibility.ts'
import { besideBrowser, leaveBrowser, takeBrowser } from './browser.ts'
import { setScene } from './scene.ts'
import { screenshots } from './screenshots.ts'
import { type Watched, watch } from './watching.ts'

/** A page of somebody's, on which nothing may go wrong but what is expected. */
export interface Visit extends Pick<Watched, 'expects' | 'problems'> {
  page: Page
  /** opens a path of the console as whoever has the key */
  signedIn(key: string, path?: string): Promise<void>
  /** fails on whatever axe-core finds here, light or dark */
  accessible(): Promise<void>
  /** pictures of what is shown, where TEST_SCREENSHOTS names a folder */
  screenshots(name: string): Promise<void>
  /** another browser beside it, with nothing in common */
  another(options?: BrowserContextOptions): Promise<Visit>
}

type Overrides = Parameters<typeof startServer>[0]

/** A server with the console for the tests of a file, that of all of them or one that is set otherwise, and what they visit it with. */
export async function startConsole(overrides?: Overrides) {
  const server = await besideBrowser(() => (overrides ? startServer(overrides) : sharedServer()))
  return { ...server, visit: visitsTo(server.base), newScene: async () => setScene(await server.newWorld()) }
}

/** Lets the tests of a file visit the console of a server, wherever that runs. */
export function visitsTo(base: string) {
  let browser: Browser | string
  let kept: Opened | undefined
  before(async () => {
    browser = await takeBrowser()
  })
  after(async () => {
    await kept?.close()
    leaveBrowser()
  })

  /** A test in a browser, or one that says why it was skipped. Its page is that of the tests before, made as new. */
  function visit(title: string, work: (visit: Visit) => Promise<void>): void {
    test(title, async (t) => {
      if (typeof browser === 'string') return t.skip(browser)
      const first = kept ?? (await opened(browser, base))
      kept = undefined
      const all = [first]
      try {
        await work(visitOf(first, all, browser))
        for (const { problems } of all) assert.deepEqual(problems(), [])
      } catch (error) {
        for (const { page, problems } of all) t.diagnostic(await shown(page, problems()))
        await Promise.all(all.map(({ close }) => close()))
        throw error
      }
      await Promise.all(all.slice(1).map(({ close }) => close()))
      kept = first
      await first.clear()
    })
  }

  function visitOf(of: Opened, all: Opened[], chromium: Browser): Visit {
    const { page } = of
    return {
      page,
      expects: of.expects,
      problems: of.problems,
      signedIn: (key, path = '/console') => signIn(page, base, key, path),
      accessible: async () => assert.deepEqual(await refusals(page), []),
      screenshots: (name) => screenshots(page, name),
      async another(options) {
        const other = await opened(chromium, base, options)
        all.push(other)
        return visitOf(other, all, chromium)
      },
    }
  }

  return visit
}

interface Opened extends Watched {
  page: Page
  /** makes it as new: what it stores and what is intercepted is gone */
  clear(): Promise<void>
  close(): Promise<void>
}

// how many times slower than this machine a page is
const slowness = Number(process.env.TEST_SLOWNESS ?? 1)

const desktop = { width: 1280, height: 800 }

async function opened(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: desktop, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  if (slowness > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  }
  const watched = await watch(page, base)
  return {
    ...watched,
    page,
    async clear() {
      await page.unrouteAll()
      await context.setOffline(false)
      await context.clearCookies()
      if (page.url().startsWith(base)) await page.evaluate('sessionStorage.clear(), localStorage.clear()')
      await page.goto('about:blank')
      await page.emulateMedia({ colorScheme: null })
      await page.setViewportSize(desktop)
      watched.forget()
    },
    close: () => context.close(),
  }
}

/** Goes to a path below /console as a link of the page does, without loading it anew. */
export const goTo = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState(null, '', '/console' + ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )

/** Opens the form for an API key on the sign-in page. */
export const chooseKey = (page: Page) => page.getByRole('button', { name: 'Use an API key' }).click()

async function signIn(page: Page, base: string, key: string, path: string): Promise<void> {
  await page.goto(base + path)
  await chooseKey(page)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // the shell; at the width of a phone its navigation is behind a button
  await page.locator('main#content').waitFor()
}

/** What a page shows and what went wrong, for whoever reads why a test failed. */
async function shown(page: Page, problems: string[]): Promise<string> {
  const tree = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .catch(() => 'nothing that could be read')
  return [page.url(), ...problems, tree].join('\n')
}
