import type { Page } from 'playwright-core'

const places = `({
  document: document.documentElement.outerHTML,
  fields: [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(' '),
  session: JSON.stringify(sessionStorage),
  device: JSON.stringify(localStorage),
  address: location.href,
  history: JSON.stringify(history.state),
  cookies: document.cookie,
})`

/** Where a page still has a text: in what it shows, in what it stores, in its address or in the state of its history. */
export async function leftovers(page: Page, text: string): Promise<string[]> {
  const found: Record<string, unknown> = JSON.parse(await page.evaluate(`JSON.stringify(${places})`))
  return Object.entries(found).flatMap(([place, content]) => (String(content).includes(text) ? [place] : []))
}
