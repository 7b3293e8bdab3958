import type { Page } from 'playwright-core'

/** What a page did that none should do, and what a test expected of it. */
export interface Watched {
  /** a problem that has this in its words is no failure; that it does not happen is one */
  expects(words: RegExp): void
  /** what went wrong, and what was expected and did not */
  problems(): string[]
  /** begins anew */
  forget(): void
}

/**
 * Notes what a page is refused by its policy, what it complains about, errors that nobody caught, requests that failed and those to
 * elsewhere.
 */
export async function watch(page: Page, base: string): Promise<Watched> {
  let noted: string[] = []
  let expected: RegExp[] = []
  await page.addInitScript(tellOfViolations)
  page.on('console', (said) => {
    if (['error', 'warning'].includes(said.type())) noted.push(`${said.text()} (${said.location().url})`)
  })
  page.on('pageerror', (error) => noted.push(`Not caught: ${error.stack ?? error}`))
  page.on('dialog', async (dialog) => {
    noted.push(`Dialog: ${dialog.message() || dialog.type()}`)
    // whether one leaves is asked without words: one does
    await (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`)) noted.push(`Elsewhere: ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // which the page did itself, or whoever left it
    if (reason !== 'net::ERR_ABORTED') noted.push(`Failed: ${request.method()} ${request.url()} ${reason}`)
  })
  return {
    expects: (words) => void expected.push(words),
    problems: () => [
      ...noted.filter((problem) => !expected.some((words) => words.test(problem))),
      ...expected
        .filter((words) => !noted.some((problem) => words.test(problem)))
        .map((words) => `Expected, and did not happen: ${words}`),
    ],
    forget() {
      noted = []
      expected = []
    },
  }
}

const tellOfViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('Refused by the policy:', violatedDirective, blockedURI, sample))`
