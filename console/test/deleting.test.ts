import assert from 'node:assert/strict'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

visit(
  'a person who cannot restore what they delete is told so before, and one who can gets Undo',
  async ({ page, signedIn }) => {
    const { owner, member, board, step, tasks, addToProject, project, join } = await newScene()
    await signedIn(member.key, '/console/list?task=WEB-3')
    await page.getByRole('button', { name: 'Actions for Check the address' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete “Check the address”?' })
    await asked.getByText('Only owners and admins can restore it').waitFor()
    assert.equal((await owner.get(`/subtasks/${step.id}`)).status, 200)
    await asked.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Check the address” was deleted.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)

    const lead = await join('Lea Lead', 'member')
    await addToProject(project.id, lead, 'lead')
    for (const { key, isFinal } of [
      { key: lead.key, isFinal: true },
      { key: owner.key, isFinal: false },
    ]) {
      await page.evaluate('sessionStorage.clear()')
      await signedIn(key, `/console/board/${board.id}`)
      await page.getByRole('button', { name: 'Actions for the stage Review' }).click()
      await page.getByRole('menuitem', { name: 'Delete the stage' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete the stage' })
      await dialog.getByText('Review').waitFor()
      assert.equal(await dialog.getByText('Only owners and admins').count(), Number(isFinal))
      await dialog.getByRole('button', { name: isFinal ? 'Cancel' : 'Delete' }).click()
    }
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('region', { name: 'Review', exact: true }).waitFor()
    assert.equal((await owner.get(`/tasks/${tasks.logo.id}`)).status, 200)
  },
)

visit('the address of a deleted task says so, and offers a restore to members with the right', async (visit) => {
  const { page, signedIn, another, expects } = visit
  const { owner, member, tasks } = await newScene()
  await owner.delete(`/tasks/${tasks.logo.id}`)
  expects(/404 \(Not Found\)/)
  await signedIn(owner.key, '/console/list?task=WEB-1')
  const panel = page.getByRole('dialog')
  await panel.getByText('“Draw a logo” was deleted').waitFor()
  await visit.accessible()
  const other = await another()
  other.expects(/404 \(Not Found\)/)
  await other.signedIn(member.key, `/console/list?task=${tasks.logo.id}`)
  await other.page.getByText('“Draw a logo” was deleted').waitFor()
  await other.page.getByText('Only owners and admins can restore items').waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Restore' }).count(), 0)
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  await panel.getByRole('button', { name: 'Restore' }).click()
  await panel.getByRole('button', { name: 'Draw a logo (Rename)' }).waitFor()
  await page.goto(`${base}/console/list?task=WEB-99`)
  await panel.getByText('There is no such task').waitFor()
})
