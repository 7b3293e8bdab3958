import { until } from '../../server/test/support/until.ts'
import { column, holds } from './support/board.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene, newWorld } = await startConsole()

visit('members with the right change the board: its name, its stages, their limits and their order', async (visit) => {
  const { page } = visit
  const { owner, board } = await newScene()
  await visit.signedIn(owner.key, `/console/board/${board.id}`)
  const choose = async (stage: string, item: string) => {
    await page.getByRole('button', { name: `Actions for the stage ${stage}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const dialog = page.getByRole('dialog')
  await choose('Review', 'Edit the stage')
  await dialog.getByLabel('Name').fill('Seen')
  await dialog.getByLabel('Limit').fill('2')
  await visit.accessible()
  await visit.screenshots('board-stage')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await column(page, 'Seen').getByText('0 / 2').waitFor()
  await choose('Seen', 'Move left')
  const names = () => page.locator('.board-column h2').allInnerTexts()
  await until(async () => (await names()).join() === 'To do,Seen,Doing,Done', 'The stage was not moved')
  await choose('Doing', 'Delete the stage')
  await dialog.getByLabel('Move its tasks to').selectOption('Seen')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await holds(page, 'Seen', ['WEB-3'])
  await until(async () => (await names()).join() === 'To do,Seen,Done', 'The stage is still there')
  await choose('Seen', 'New stage')
  await dialog.getByLabel('Name').fill('Later')
  await dialog.getByRole('button', { name: 'New stage' }).click()
  await column(page, 'Later').waitFor()
  await page.getByRole('button', { name: 'Actions for the board' }).click()
  await page.getByRole('menuitem', { name: 'Rename the board' }).click()
  await dialog.getByLabel('Name of the board').fill('')
  visit.expects(/422/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await dialog.getByLabel('Name of the board').fill('Ours')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Choose a board: Ours' }).waitFor()
})

visit('without a board, one is created with its project, and nothing typed is lost', async (visit) => {
  const { page } = visit
  const { owner } = await newWorld()
  await visit.signedIn(owner.key, '/console/board')
  await page.getByText('No board yet').waitFor()
  await visit.accessible()
  await visit.screenshots('board-first')
  visit.expects(/422/)
  await page.getByLabel('Name of a new project').fill('\u200b')
  await page.getByRole('button', { name: 'Create the board' }).click()
  await page.locator('.failure', { hasText: /./ }).first().waitFor()
  await page.getByLabel('Name of a new project').fill('Garden')
  await page.getByRole('button', { name: 'Create the board' }).click()
  await column(page, 'Doing').waitFor()
  await page.getByRole('button', { name: 'Choose a board: Garden' }).waitFor()
})
