import { until } from '../../server/test/support/until.ts'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

visit('a day of work can be done with the keyboard alone', async ({ page }) => {
  const { member, board, tasks, step } = await newScene()
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  // in
  await page.goto(`${base}/console`)
  await page.getByRole('button', { name: 'Use an API key' }).focus()
  await press('Enter')
  await page.locator('input[name=key]:focus').waitFor()
  await page.keyboard.type(member.key)
  await press('Enter')
  await page.waitForURL(`**/board/${board.id}`)
  await page.getByRole('link', { name: /^WEB-2 / }).waitFor()

  // to what is to be done today, and a step of it
  await press('g', 'm')
  await heading('My work')
  await page.getByRole('checkbox', { name: 'Check the address' }).focus()
  await press('Space')
  await until(
    async () => (await member.get(`/subtasks/${step.id}`)).body.finalizedAt !== null,
    'The step is not finalized',
  )

  // a card is found by its words, its timer started, a comment written
  await press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('write the co')
  await page.getByRole('option', { name: 'Write the copy' }).waitFor()
  await press('Enter')
  const panel = page.getByRole('dialog', { name: /^WEB-2 / })
  await panel.waitFor()
  await page.locator('.connection.live').waitFor()
  await press('t')
  await until(async () => (await member.get('/timer')).body.timeEntry?.taskId === tasks.copy.id, 'No timer runs')
  await press('c')
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type('Begun')
  await press('Control+Enter')
  await until(
    async () => (await member.get(`/tasks/${tasks.copy.id}/comments`)).body.data[0]?.body === 'Begun',
    'The comment is not there',
  )
  // out of the field, then out of the panel
  await panel.getByRole('listitem').getByText('Begun').waitFor()
  await until(async () => {
    await press('Escape')
    return (await panel.count()) === 0
  }, 'The panel stays open')

  // the card goes on to the next stage
  await press('g', 'b')
  const card = page.getByRole('main').getByRole('link', { name: /^WEB-2 / })
  await card.waitFor()
  await card.focus()
  await press('Space', 'ArrowRight', 'Enter')
  await until(
    async () => (await member.get(`/tasks/${tasks.copy.id}?include=stage`)).body.stage.name === 'Doing',
    'The card did not move',
  )

  // to the week and what it comes to: how it is logged is tried with the timesheet
  await press('g', 't')
  await heading('Timesheet')
  await page.getByRole('gridcell').first().waitFor()
  await press('g', 'r')
  await heading('Reports')

  // and what was deleted is looked for
  await press('g', 'x')
  await heading('Trash')
})
