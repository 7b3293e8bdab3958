import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** The colour that is drawn for a property. */
async function drawn(page: Page, selector: string, property = 'background-color'): Promise<string> {
  await page.locator(selector).first().waitFor({ state: 'attached' })
  const of = [selector, property].map((text) => JSON.stringify(text))
  return page.evaluate(`getComputedStyle(document.querySelector(${of[0]})).getPropertyValue(${of[1]})`)
}

visit('in forced colours a chosen item, and a part of a bar, differs from the rest', async (first) => {
  const { owner, board, tasks } = await newScene()
  await owner.post('/time-entries', { taskId: tasks.logo.id, startedAt: new Date().toISOString(), durationSeconds: 60 })
  const visit = await first.another({ forcedColors: 'active' })
  const { page } = visit
  await visit.signedIn(owner.key, `/console/board/${board.id}`)
  const differs = async (one: string, other: string) =>
    assert.notEqual(await drawn(page, one), await drawn(page, other), one)
  await differs('.views a[aria-current]', '.views a:not([aria-current])')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('go')
  await differs('.palette [aria-selected=true]', '.palette [aria-selected=false]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  const [chosen, other] = ['.tabs a[aria-current]', '.tabs a:not([aria-current])']
  const edge = 'border-bottom-color'
  assert.notEqual(await drawn(page, chosen, edge), await drawn(page, other, edge))
  await differs('.rp-part', '.rp-bar')
})

visit('in forced colours the meaning of a background or a dot is still visible', async (first) => {
  const { owner, board, tag, tasks } = await newScene()
  await owner.post('/time-entries', { taskId: tasks.logo.id, startedAt: new Date().toISOString(), durationSeconds: 60 })
  await owner.patch(`/tags/${tag.id}`, { color: '#aa5500' })
  const visit = await first.another({ forcedColors: 'active' })
  const { page } = visit
  await visit.signedIn(owner.key, `/console/board/${board.id}`)
  assert.equal(await drawn(page, '.board-tags i'), 'rgb(170, 85, 0)')
  for (const round of ['.chip', '.avatar']) assert.equal(await drawn(page, round, 'outline-style'), 'solid', round)
  await page.goto(page.url().replace(/\/board.*/, '/list?task=WEB-1'))
  const row = '.list-rows .list-row'
  assert.deepEqual(
    [await drawn(page, `${row}.open`, 'outline-style'), await drawn(page, `${row}:not(.open)`, 'outline-style')],
    ['solid', 'none'],
  )
  await page.goto(page.url().replace(/\/list.*/, '/timesheet'))
  const [today, cell] = ['[role=columnheader].today', '.ts-cell:not(.unsaved)']
  assert.notEqual(await drawn(page, today), await drawn(page, '[role=columnheader]:not(.today)'))
  await page.locator('.ts-cell').first().click()
  await page.keyboard.type('99:99')
  await page.keyboard.press('Enter')
  assert.notEqual(await drawn(page, '.ts-cell.unsaved'), await drawn(page, cell))
})
