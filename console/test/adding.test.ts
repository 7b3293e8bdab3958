import assert from 'node:assert/strict'
import { until } from '../../server/test/support/until.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit('each added card scrolls into view, and the next one can be typed at once', async (visit) => {
  const { page, signedIn } = visit
  const { owner, board } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}`)
  await page.getByRole('button', { name: 'New task in To do' }).click()
  const list = page.getByRole('region', { name: 'To do', exact: true }).locator('.board-cards')
  for (let n = 1; n <= 8; n++) {
    await page.keyboard.type(`One more ${n}`)
    await page.keyboard.press('Enter')
    const added = page.getByRole('link', { name: new RegExp(`One more ${n}$`) })
    await added.waitFor()
    await until(async () => {
      const [box, around] = [await added.boundingBox(), await list.boundingBox()]
      return box !== null && around !== null && box.y + box.height <= around.y + around.height + 1
    }, `Card ${n} is out of sight`)
    await page.getByText(`WEB-${n + 4} created.`).waitFor()
  }
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'INPUT')
})
