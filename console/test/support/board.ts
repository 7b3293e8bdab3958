import assert from 'node:assert/strict'
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

/** The requests to move a task or a stage that a page sends: path and body. */
export function movesOf(page: Page) {
  const moves: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') moves.push([request.url().split('/api/v1')[1], request.postDataJSON()])
  })
  return moves
}

/** The middle of the card of a task, in pixels. */
export async function middleOf(page: Page, key: string) {
  const { x, y, width, height } = (await card(page, key).boundingBox()) ?? assert.fail(`${key} is not drawn`)
  return { x: x + width / 2, y: y + height / 2 }
}
