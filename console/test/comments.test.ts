import assert from 'node:assert/strict'
import { created } from '../../server/test/support/world.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit(
  'comments before the last fifty are read when they are asked for, and follow what becomes of them',
  async (visit) => {
    const { page, signedIn } = visit
    const { owner, tasks } = await newScene()
    const said = []
    for (let n = 1; n <= 52; n++)
      said.push(await created(owner.post(`/tasks/${tasks.logo.id}/comments`, { body: `Said ${n}.` })))
    await signedIn(owner.key, '/console/keys?task=WEB-1')
    const panel = page.getByRole('dialog', { name: /^WEB-1 / })
    await panel.getByText('Said 52.').waitFor()
    assert.equal(await panel.getByText('Said 2.', { exact: true }).count(), 0)
    await panel.getByRole('button', { name: 'Show earlier comments' }).click()
    await panel.getByText('Said 2.', { exact: true }).waitFor()
    assert.equal(await panel.locator('.comment').count(), 52)
    await owner.patch(`/comments/${said[0].id}`, { body: 'Said otherwise.' })
    await panel.getByText('Said otherwise.').waitFor()
    await owner.delete(`/comments/${said[1].id}`)
    await panel.getByText('Said 2.', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await panel.locator('.comment').count(), 51)
  },
)
