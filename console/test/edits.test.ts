import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const openStage = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `What to do with the stage ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit the stage' }).click()
  return page.getByRole('dialog')
}

visit(
  'what somebody else changed beside what one edits stays, and is no reason to ask',
  async ({ page, signedIn, expects }) => {
    const { owner, board, stages } = await newScene()
    const [first, second] = stages
    assert.ok(first && second)
    await signedIn(owner.key, `/console/board/${board.id}`)
    const dialog = await openStage(page, first.name)
    await dialog.getByLabel('Name').fill('Soon')
    // of the one it is no field, of the other it is
    await owner.post(`/stages/${first.id}/move`, { afterId: second.id })
    await owner.patch(`/stages/${first.id}`, { wipLimit: 5 })
    expects(/412/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { name, wipLimit } = (await owner.get(`/stages/${first.id}`)).body
    assert.deepEqual([name, wipLimit], ['Soon', 5])
  },
)

visit('who saves theirs all the same writes over nothing but what they typed', async ({ page, signedIn, expects }) => {
  const { owner, board, stages } = await newScene()
  const [first] = stages
  assert.ok(first)
  await signedIn(owner.key, `/console/board/${board.id}`)
  const dialog = await openStage(page, first.name)
  await dialog.getByLabel('Name').fill('Mine')
  await owner.patch(`/stages/${first.id}`, { name: 'Theirs', wipLimit: 7 })
  expects(/412/)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Theirs', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Save mine all the same' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { name, wipLimit } = (await owner.get(`/stages/${first.id}`)).body
  assert.deepEqual([name, wipLimit], ['Mine', 7])
})

visit('a text that is begun before a page is loaded anew overwrites nothing unseen behind it', async (visit) => {
  const { page, signedIn, expects } = visit
  const { owner, board, stages } = await newScene()
  const [first] = stages
  assert.ok(first)
  await signedIn(owner.key, `/console/board/${board.id}`)
  await (await openStage(page, first.name)).getByLabel('Name').fill('Mine')
  await owner.patch(`/stages/${first.id}`, { name: 'Theirs' })
  await page.reload()
  const dialog = await openStage(page, 'Theirs')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Mine')
  expects(/412/)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Theirs', { exact: true }).waitFor()
  assert.equal((await owner.get(`/stages/${first.id}`)).body.name, 'Theirs')
})
