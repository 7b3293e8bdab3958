import assert from 'node:assert/strict'
import { until } from '../../server/test/support/until.ts'
import { card, column, holds, keysIn, middleOf, movesOf } from './support/board.ts'
import { intercept } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit('a finger that rests on a card drags it; one that moves at once does not', async ({ another }) => {
  const { owner, board, tasks, stages } = await newScene()
  const { page, signedIn } = await another({ hasTouch: true, viewport: { width: 390, height: 844 } })
  const moves = movesOf(page)
  await signedIn(owner.key, `/console/board/${board.id}`)
  const { x, y } = await middleOf(page, 'WEB-1')
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  await touch('touchStart', { x, y })
  for (const by of [10, 30, 50]) await touch('touchMove', { x, y: y + by })
  await touch('touchEnd')
  assert.equal(await page.locator('.lifted').count(), 0)
  await touch('touchStart', { x, y })
  await page.locator('.lifted').waitFor()
  const { x: left, y: top } = await middleOf(page, 'WEB-2')
  for (const part of [0.3, 0.6, 1]) await touch('touchMove', { x: x + (left - x) * part, y: y + (top - y) * part })
  await touch('touchEnd')
  await page.getByText('WEB-1 moved to To do.').waitFor()
  assert.deepEqual(moves, [[`/tasks/${tasks.logo.id}/move`, { stageId: stages[0]?.id, afterId: tasks.copy.id }]])
  assert.deepEqual(await keysIn(page, 'To do'), ['WEB-2', 'WEB-1'])
})

visit('keys lift a card, carry it, announce its place, and drop it or give it back', async ({ page, signedIn }) => {
  const { owner, board, tasks, stages } = await newScene()
  const moves = movesOf(page)
  await signedIn(owner.key, `/console/board/${board.id}`)
  const said = page.locator('[aria-live=assertive]')
  await card(page, 'WEB-1').getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await until(
    async () => /^WEB-2 picked up\. To do, 2 of 2\. /.test(await said.innerText()),
    'It is not said to be lifted',
  )
  await page.keyboard.press('ArrowRight')
  await page.getByText('Doing, 2 of 2.').waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(await keysIn(page, 'To do'), ['WEB-1', 'WEB-2'])
  assert.match(await page.evaluate('document.activeElement.textContent'), /^WEB-2/)
  for (const key of ['Space', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  await page.getByText('WEB-2 moved to Review.').waitFor()
  assert.deepEqual(moves, [[`/tasks/${tasks.copy.id}/move`, { stageId: stages[2]?.id }]])
  assert.match(await page.evaluate('document.activeElement.textContent'), /^WEB-2/)
  await page.keyboard.press('z')
  await holds(page, 'To do', ['WEB-1', 'WEB-2'])
})

visit('a card can move without dragging: by its menu, and by the dialog of the key m', async ({ page, signedIn }) => {
  const { owner, board, tasks, stages } = await newScene()
  const moves = movesOf(page)
  await signedIn(owner.key, `/console/board/${board.id}`)
  await card(page, 'WEB-1').getByRole('button', { name: 'Actions for WEB-1' }).click()
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await page.getByText('WEB-1 moved to To do.').waitFor()
  await holds(page, 'To do', ['WEB-2', 'WEB-1'])
  await card(page, 'WEB-1').getByRole('link').focus()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move WEB-1' })
  await dialog.getByLabel('Stage').selectOption('Doing')
  await dialog.getByLabel('Place').selectOption('At the top')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await holds(page, 'Doing', ['WEB-1', 'WEB-3'])
  await page.getByText('WEB-1 moved to Doing.').waitFor()
  assert.deepEqual(moves[1], [`/tasks/${tasks.logo.id}/move`, { stageId: stages[1]?.id, beforeId: tasks.form.id }])
})

visit(
  "a refused card goes back, with the server's message; until the response the card shows that it waits",
  async (visit) => {
    const { page, expects, signedIn } = visit
    const { owner, board, stages } = await newScene()
    await owner.patch(`/stages/${stages[1]?.id}`, { wipLimit: 1 })
    await signedIn(owner.key, `/console/board/${board.id}`)
    await column(page, 'Doing').getByText('Full').waitFor()
    let answer = () => {}
    await intercept(page, '**/move', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.continue()
    })
    await card(page, 'WEB-2').getByRole('link').focus()
    for (const key of ['Space', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    // it is told at once, whatever the server takes
    assert.equal(await card(page, 'WEB-2').getAttribute('aria-busy'), 'true')
    assert.match(await card(page, 'WEB-2').innerText(), /Moving…/)
    assert.match(await column(page, 'Doing').innerText(), /1 \/ 1/)
    await visit.screenshots('board-moving')
    await page.getByText('Saving…', { exact: true }).waitFor()
    const told = page.getByRole('region', { name: 'Messages' }).getByText('WEB-2 is still being moved.')
    await card(page, 'WEB-2').getByRole('link').focus()
    await page.keyboard.press('Space')
    await told.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await told.waitFor({ state: 'detached' })
    await card(page, 'WEB-2').getByRole('button', { name: 'Actions for WEB-2' }).click()
    await page.getByRole('menuitem', { name: 'Move to the top' }).click()
    await told.waitFor()
    expects(/412/)
    answer()
    await page.getByText('The stage is full: its wipLimit is 1').waitFor()
    await holds(page, 'To do', ['WEB-1', 'WEB-2'])
    assert.equal(await page.locator('[aria-busy=true]').count(), 0)
  },
)

visit('changes by others do not interrupt a drag', async ({ page, signedIn }) => {
  const { owner, board, task, inStage, tasks } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await card(page, 'WEB-3').getByRole('link').focus()
  for (const key of ['Space', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key)
  const other = await task({ ...inStage('To do'), name: 'Come in between' })
  await owner.post(`/tasks/${other.id}/move`, { beforeId: tasks.logo.id })
  await holds(page, 'To do', [other.key, 'WEB-1', 'WEB-3', 'WEB-2'])
  await page.keyboard.press('Enter')
  await page.getByText('WEB-3 moved to To do.').waitFor()
  assert.deepEqual(await keysIn(page, 'To do'), [other.key, 'WEB-1', 'WEB-3', 'WEB-2'])
})
