import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { goTo, startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** Begins with Hebrew, and goes on with Latin, a number and signs. */
const name = '\u05D1\u05D3\u05D9\u05E7\u05D4 (v2) \u05E9\u05DC WEB, \u05D3\u05E3 3!'

/** Each ends before the next begins, on one line or a few. */
async function inOrder(...all: Locator[]): Promise<void> {
  const boxes = await Promise.all(all.map((each) => each.boundingBox()))
  boxes.slice(1).forEach((box, place) => {
    const before = boxes[place]
    assert.ok(before && box && before.x + before.width <= box.x + 1, `${all[place]} is not before ${all[place + 1]}`)
  })
}

visit('a right-to-left name is isolated: the text beside it stays where it is', async (visit) => {
  const { page } = visit
  const rightToLeft = page.locator(':dir(rtl)')
  const { owner, board, tasks } = await newScene()
  await owner.patch(`/tasks/${tasks.logo.id}`, { name })
  await visit.signedIn(owner.key, '/console/list')
  const row = page.getByRole('row').filter({ hasText: 'WEB-1' })
  const inRow = row.getByText(name, { exact: true })
  await inRow.waitFor()
  await inRow.and(rightToLeft).waitFor()
  await inOrder(row.getByText('WEB-1'), inRow, row.getByText('urgent'), row.getByText('To do'), row.getByText('High'))

  await goTo(page, `/board/${board.id}`)
  const card = page.locator('.board-card').filter({ hasText: 'WEB-1' })
  const onCard = card.getByText(name, { exact: true })
  await onCard.waitFor()
  await onCard.and(rightToLeft).waitFor()
  await inOrder(card.locator('.board-key'), card.getByText('High'), card.getByRole('button'))

  await goTo(page, '/list?task=WEB-1')
  const panel = page.getByRole('dialog')
  const heading = panel.getByRole('heading', { level: 2 }).getByText(name)
  await heading.waitFor()
  await heading.and(rightToLeft).waitFor()
  await inOrder(panel.getByRole('link', { name: 'WEB-1' }), panel.getByRole('button', { name: 'Close' }))
  await inOrder(panel.getByText('Start', { exact: true }), panel.getByLabel('Start'))
  await page.locator('html:dir(ltr)').waitFor()
})
