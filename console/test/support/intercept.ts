import type { Page, Route } from 'playwright-core'
import { until } from '../../../server/test/support/until.ts'
import type { Visit } from './visits.ts'

/**
 * Stands between a page and the server from now on. `page.route` alone returns before its Chromium asks what to do: a request that is
 * sent at once goes past it.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => Promise<unknown>,
): Promise<void> {
  await page.route(url, answer)
  await page.route('**/console?asked', (route) => route.fulfill({ body: 'asked' }))
  const isAsked = () => page.evaluate(`fetch('/console?asked').then((answer) => answer.text())`)
  await until(async () => (await isAsked()) === 'asked', 'Requests go past the test')
  await page.unroute('**/console?asked')
}

/** The server does what is asked of it, and its answers are kept back. @returns lets them through */
export async function holdAnswers(page: Page, url: string | RegExp): Promise<() => void> {
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await intercept(page, url, async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  return letThrough
}

/** Takes the network from a page, until it has seen that it is gone. */
export async function cutOff({ page, expects }: Visit): Promise<void> {
  const words = /ERR_INTERNET_DISCONNECTED/
  expects(words)
  const seen = page.waitForEvent('requestfailed', (request) => words.test(request.failure()?.errorText ?? ''))
  await page.context().setOffline(true)
  await seen
}
