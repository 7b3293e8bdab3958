import assert from 'node:assert/strict'
import { file } from '../../server/test/support/afterwards.ts'
import { onMigratedDatabase, serving } from '../../server/test/support/slow/processes.ts'
import { openSite, proxies } from '../../server/test/support/slow/proxies.ts'
import { apiOf, created } from '../../server/test/support/world.ts'
import { visitsTo } from './support/visits.ts'

const settings = await onMigratedDatabase(file)
const server = await serving(file, { ...settings, PUBLIC_URL: 'https://work.example.com/tasks/' })
const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)

for (const name of Object.keys(proxies) as (keyof typeof proxies)[]) {
  const base = await openSite(file, name, server.port)
  // a visit fails when its page asks for anything outside of the path
  if (base)
    visitsTo(base)(
      `below a path, behind ${name}, people work in the console and come back to where they were`,
      async (visit) => {
        const { page, signedIn } = visit
        const project = await created(owner.post('/projects', { name: `Behind ${name}`, key: name.toUpperCase() }))
        const board = await created(
          owner.post('/workspaces', { name: `Board of ${name}`, projectId: project.id, stages: ['To do', 'Doing'] }),
        )
        const { data } = (await owner.get(`/workspaces/${board.id}/stages`)).body
        await created(owner.post('/tasks', { projectId: project.id, stageId: data[0].id, name: 'Dig a hole' }))
        await signedIn(server.ownersKey)
        assert.equal(await page.evaluate(`sessionStorage.getItem('taskwright.key/tasks')`), server.ownersKey)
        await page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true }).click()
        await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
        assert.equal(page.url(), `${base}/console/webhooks`)
        await page.goto(`${base}/console/board/${board.id}`)
        const card = page.locator('article').filter({ hasText: 'Dig a hole' })
        await card.getByRole('link').first().click()
        const panel = page.getByRole('complementary').or(page.getByRole('dialog'))
        await panel.getByRole('textbox').first().waitFor()
        const deep = page.url()
        assert.ok(deep.startsWith(`${base}/console/board/${board.id}?task=${name.toUpperCase()}-1`), deep)
        await page.reload()
        await panel.getByRole('textbox').first().waitFor()
        assert.equal(page.url(), deep)
        // what others do shows, so the stream of events passes
        await page.locator('.connection.live').waitFor()
        await created(owner.post('/tasks', { projectId: project.id, stageId: data[0].id, name: 'Fill it again' }))
        await page.locator('article').filter({ hasText: 'Fill it again' }).waitFor()
      },
    )
}
