import type { Page } from 'playwright-core'
import { until } from '../../../server/test/support/until.ts'

/** A stage of the board that a page shows. */
export const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const card = (page: Page, key: string) =>
  page.locator('article').filter({ has: page.getByRole('link', { name: new RegExp(`^${key} `) }) })

export const keysIn = (page: Page, name: string) => column(page, name).locator('.board-key').allInnerTexts()

/** Once a stage shows these tasks, in this order. */
export const holds = (page: Page, name: string, keys: readonly string[]) =>
  until(async () => (await keysIn(page, name)).join() === keys.join(), `${name} does not hold ${keys}`)
