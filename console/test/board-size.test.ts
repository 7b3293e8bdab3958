import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { sql } from '../../server/src/db/sql.ts'
import { until } from '../../server/test/support/until.ts'
import { startConsole } from './support/visits.ts'

const { db, visit, newScene } = await startConsole()

/** A board with so many tasks more, shared by its four stages; they are copies of one that stands there. */
async function crowdedBoard(count: number) {
  const scene = await newScene()
  await db.rows(sql`
    insert into tasks (org_id, id, project_id, number, key, name, workspace_id, stage_id, position, priority, tag_ids,
      assignee_ids, created_by, created_at, updated_at)
    select t.org_id, gen_random_uuid(), t.project_id, 1000 + n, 'WEB-' || 1000 + n, 'Task ' || n || ' of very many',
      t.workspace_id, (${scene.stages.map(({ id }) => id)}::uuid[])[1 + n % 4], (1 + n)::bigint << 32, t.priority, t.tag_ids,
      t.assignee_ids, t.created_by, t.created_at, t.updated_at
    from tasks t, generate_series(1, ${count}::int) n where t.org_id = ${scene.orgId} and t.id = ${scene.tasks.form.id}`)
  return scene
}

const list = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).locator('.board-cards')
const nodes = (page: Page) => page.evaluate<number>('document.querySelectorAll("*").length')

visit('a board of 2,000 tasks takes two requests beside the stream, and 100 kB', async ({ another }) => {
  const { owner, board, stages } = await crowdedBoard(2_000)
  const { page, signedIn } = await another()
  await signedIn(owner.key, '/console/trash')
  const cold = await another()
  await cold.page.addInitScript(`sessionStorage.setItem('taskwright.key', '${owner.key}')`)
  const asked: string[] = []
  const sizes: Promise<number>[] = []
  cold.page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path.startsWith('/api/')) asked.push(path.replace('/api/v1', ''))
  })
  cold.page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then((size) => size.responseHeadersSize + size.responseBodySize))
  })
  await cold.page.goto(`${new URL(page.url()).origin}/console/board/${board.id}`)
  await cold.page.getByText('Live', { exact: true }).waitFor()
  await cold.page.getByRole('link', { name: /^WEB-1 / }).waitFor()
  await cold.page.evaluate('new Promise((done) => requestIdleCallback(done))')
  assert.deepEqual(asked.toSorted(), ['/events', '/me', `/workspaces/${board.id}/board`])
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(bytes < 100_000, `It takes ${bytes} bytes`)
  assert.ok((await nodes(cold.page)) < 3_000)
  assert.match(await cold.page.getByRole('region', { name: 'Doing', exact: true }).innerText(), /^Doing\s+501/)

  // also to the end of a stage that was not read so far
  await cold.page.getByRole('button', { name: 'Actions for WEB-1', exact: true }).click()
  await cold.page.getByRole('menuitem', { name: 'Move to the bottom' }).click()
  await cold.page.getByText('WEB-1 moved to To do.').waitFor()
  const { body } = await owner.get(`/tasks?stageId=${stages[0]?.id}&sort=-position&limit=1&fields=key`)
  assert.deepEqual(body.data, [{ key: 'WEB-1' }])
  assert.match(await cold.page.evaluate('document.activeElement.textContent'), /^WEB-/)
})

visit('scrolling and dragging cost no more among 10,000 tasks than among a hundred', async ({ another }) => {
  /** The longest that the page was busy at a stretch, by the clock of its thread: what else the machine does is not in it. */
  const longest = async (scene: Awaited<ReturnType<typeof crowdedBoard>>, scrolledPx: number) => {
    const { owner, board } = scene
    const { page, signedIn } = await another()
    const browser = page.context().browser() ?? assert.fail('There is no browser')
    await signedIn(owner.key, `/console/board/${board.id}`)
    await page.getByRole('link', { name: /^WEB-1 / }).waitFor()
    const doing = list(page, 'Doing')
    await doing.hover()
    await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
    await until(async () => {
      // again: at the end of what was read so far it moves nothing until more is there
      await page.mouse.wheel(0, 2_000)
      return (await doing.evaluate(({ scrollTop }) => scrollTop)) >= scrolledPx
    }, `It cannot be scrolled by ${scrolledPx} px`)
    const card = doing.locator('.board-row').nth(5)
    // once it stands still
    await card.hover()
    const { x, y } = (await card.boundingBox()) ?? assert.fail('No card is drawn')
    await page.mouse.down()
    for (let step = 1; step <= 30; step++) await page.mouse.move(x + step * 12, y + step * 4)
    await page.locator('.lifted').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.locator('.lifted').waitFor({ state: 'detached' })
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
    assert.ok((await nodes(page)) < 3_000)
    return longestTaskMs(traceEvents)
  }
  // the least of two: now and then a page is busy with something else
  const least = async (count: number, scrolledPx: number) => {
    const scene = await crowdedBoard(count)
    return Math.min(await longest(scene, scrolledPx), await longest(scene, scrolledPx))
  }
  const fewMs = await least(400, 8_000)
  const manyMs = await least(10_000, 50_000)
  assert.ok(manyMs < 3 * fewMs + 8, `${manyMs} ms at a stretch among 10,000, ${fewMs} ms among 400`)
})

interface TraceEvent {
  name: string
  pid: number
  tid: number
  tdur?: number
  args: { name?: string }
}

function longestTaskMs(events: readonly TraceEvent[]): number {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasks = events.filter(({ name, pid, tid }) => /RunTask$/.test(name) && threads.has(`${pid}/${tid}`))
  assert.ok(tasks.length > 0)
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000
}
