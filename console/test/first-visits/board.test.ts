import assert from 'node:assert/strict'
import { holds, keysIn, middleOf, movesOf } from '../support/board.ts'
import { startConsole } from '../support/visits.ts'

const { visit, newScene } = await startConsole()

visit('a mouse drags a card to its place with one request, and the move can be undone', async ({ page, signedIn }) => {
  const { owner, board, tasks, stages } = await newScene()
  const moves = movesOf(page)
  await signedIn(owner.key, `/console/board/${board.id}`)
  const [from, to] = [await middleOf(page, 'WEB-1'), await middleOf(page, 'WEB-3')]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await page.getByText('WEB-1 moved to Doing.').waitFor()
  assert.deepEqual(moves, [[`/tasks/${tasks.logo.id}/move`, { stageId: stages[1]?.id, beforeId: tasks.form.id }]])
  assert.deepEqual(await keysIn(page, 'Doing'), ['WEB-1', 'WEB-3'])
  assert.doesNotMatch(page.url(), /task=/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await holds(page, 'To do', ['WEB-1', 'WEB-2'])
  assert.equal(moves.length, 2)
})
