import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// every rule there is, but the contrast that WCAG asks for at its third level (AAA) alone
const everyRule = `axe.run({ resultTypes, rules: Object.fromEntries(axe.getRules()
  .filter(({ tags, ruleId }) => !tags.includes('deprecated') && ruleId !== 'color-contrast-enhanced')
  .map(({ ruleId }) => [ruleId, { enabled: true }])) })`
// what else a rule looks at is the same in both
const ofColours = `axe.run({ resultTypes, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })`

// Chromium keeps the colours of some links as they were before the theme changed
const drawnAnew = `document.documentElement.style.display = 'none'; document.documentElement.offsetHeight;
  document.documentElement.style.display = ''; undefined`

// fields that stand on one another; what lies above all else, such as a menu, is looked at by itself
const covered = `(() => {
  const shown = [...document.querySelectorAll('input, select, textarea')].filter((field) => field.checkVisibility())
  const layer = (field) => field.closest('[popover], dialog, body')
  const boxOf = (field) => field.getBoundingClientRect()
  return shown.flatMap((one, at) => shown.slice(at + 1)
    .filter((other) => layer(one) === layer(other))
    .filter((other) => Math.min(boxOf(one).right, boxOf(other).right) - Math.max(boxOf(one).left, boxOf(other).left) > 1
      && Math.min(boxOf(one).bottom, boxOf(other).bottom) - Math.max(boxOf(one).top, boxOf(other).top) > 1)
    .map((other) => 'covers another field: ' + one.outerHTML + ' and ' + other.outerHTML))
})()`

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** It stays as long as the page: a session that ends takes the passkeys of the page along. */
function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** What axe-core finds wrong with a page as it stands, light and dark, and fields that cover one another. */
export async function refusals(page: Page): Promise<string[]> {
  const session = await sessionOf(page)
  // past the policy of the page, which lets no script come in from outside
  const evaluated = async (expression: string) => {
    const asked = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  const found = async (theme: 'light' | 'dark', run: string) => {
    await page.emulateMedia({ colorScheme: theme })
    await evaluated(drawnAnew)
    // drawn anew by the second one
    await evaluated('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const { violations }: Found = JSON.parse(
      await evaluated(`${run}.then(({ violations }) => JSON.stringify({ violations }))`),
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${theme}: ${id}: ${html} ${failureSummary}`),
    )
  }
  try {
    // what is well is not described, of which there is much
    await evaluated(`${axe}; var resultTypes = ['violations']`)
    return [...(await evaluated(covered)), ...(await found('light', everyRule)), ...(await found('dark', ofColours))]
  } finally {
    await page.emulateMedia({ colorScheme: null })
  }
}
