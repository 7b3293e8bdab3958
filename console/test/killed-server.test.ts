import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { file } from '../../server/test/support/afterwards.ts'
import { hold } from '../../server/test/support/holding.ts'
import { onMigratedDatabase, serving } from '../../server/test/support/slow/processes.ts'
import { until } from '../../server/test/support/until.ts'
import { apiOf, created } from '../../server/test/support/world.ts'
import { besideBrowser } from './support/browser.ts'
import { intercept } from './support/intercept.ts'
import { type Visit, visitsTo } from './support/visits.ts'

const settings = await onMigratedDatabase(file)
let server = await besideBrowser(() => serving(file, settings))
const { base, port, ownersKey } = server
const visit = visitsTo(base)
const owner = apiOf(`${base}/api/v1`, ownersKey)

const kill = () => server.kill('SIGKILL')
const startAgain = async () => {
  server = await serving(file, { ...settings, PORT: String(port) })
}

let boards = 0

/** A board of three tasks. */
async function newBoard() {
  const key = `K${++boards}`
  const project = await created(owner.post('/projects', { name: `Project ${key}`, key }))
  const board = await created(
    owner.post('/workspaces', { name: `Board ${key}`, projectId: project.id, stages: ['To do', 'Doing'] }),
  )
  const [toDo] = (await owner.get(`/workspaces/${board.id}/stages`)).body.data
  const task = (name: string) => created(owner.post('/tasks', { projectId: project.id, stageId: toDo.id, name }))
  return { board, key, task, tasks: [await task('Dig a hole'), await task('Fill it'), await task('Look at it')] }
}

const cards = (page: Page, stage: string) =>
  page.getByRole('region', { name: stage, exact: true }).locator('.board-key').allInnerTexts()
const standsIn = (page: Page, stage: string, keys: readonly string[]) =>
  until(async () => (await cards(page, stage)).join() === keys.join(), `${stage} does not hold ${keys}`)
const card = (page: Page, key: string) =>
  page.locator('article').filter({ has: page.getByRole('link', { name: new RegExp(`^${key} `) }) })
const isAway = (page: Page) => page.getByText('The server cannot be reached.')
const isLive = (page: Page) => page.locator('.connection.live').waitFor()
const movesOf = async (id: string) => (await owner.get(`/tasks/${id}/history`)).body.data.filter(isMove).length
const isMove = ({ type }: { type: string }) => type === 'task.moved'

/** What a page has asked for: what it reads, and behind which event its streams begin. */
function askedBy(page: Page) {
  const asked: string[] = []
  page.on('request', async (request) => {
    const [, call] = /\/api\/v1(\/.*)/.exec(request.url()) ?? []
    const { 'last-event-id': behind } = await request.allHeaders()
    if (call) asked.push(`${request.method()} ${call}${behind === undefined ? '' : ` behind ${behind}`}`)
  })
  return asked
}

/** The server does what it is asked for, and its first answers do not arrive until they are lost. */
async function holdAnswers(page: Page) {
  const held: (() => void)[] = []
  let isOver = false
  await intercept(page, '**/api/v1/**', async (route) => {
    if (isOver || route.request().method() === 'GET') return route.continue()
    await route.fetch()
    await new Promise<void>((resolve) => held.push(resolve))
    await route.abort('connectionreset')
  })
  return {
    until: (count: number) => until(() => held.length === count, `${held.length} writes are sent`),
    lose() {
      isOver = true
      for (const one of held) one()
    },
  }
}

visit('a lifted card stays lifted while the server is killed, and its move is done once', async (visit) => {
  const { page, expects, signedIn } = visit
  const { board, key, task, tasks } = await newBoard()
  await signedIn(ownersKey, `/console/board/${board.id}`)
  await isLive(page)
  await page.evaluate('window.isTheSame = true')
  const { latest } = (await owner.get('/events/head')).body
  const { x, y, width, height } = (await card(page, `${key}-1`).boundingBox()) ?? assert.fail('It is not drawn')
  const other = (await page.getByRole('region', { name: 'Doing', exact: true }).boundingBox()) ?? assert.fail()
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(other.x + other.width / 2, y + height / 2, { steps: 4 })
  await standsIn(page, 'Doing', [`${key}-1`])
  await kill()
  await isAway(page).waitFor()
  expects(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/)
  await standsIn(page, 'Doing', [`${key}-1`])
  await page.mouse.up()
  // it is not shown as moved
  await page.getByText('The server did not respond').waitFor()
  await standsIn(
    page,
    'To do',
    [1, 2, 3].map((n) => `${key}-${n}`),
  )
  const asked = askedBy(page)
  await startAgain()
  await task('Made meanwhile')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(`${key}-1 moved to Doing.`).waitFor()
  await isLive(page)
  await isAway(page).waitFor({ state: 'detached' })
  await standsIn(
    page,
    'To do',
    [2, 3, 4].map((n) => `${key}-${n}`),
  )
  await standsIn(page, 'Doing', [`${key}-1`])
  assert.equal(await movesOf(tasks[0].id), 1)
  // nothing was read anew: the stream went on from where it was
  assert.equal(await page.evaluate('window.isTheSame'), true)
  assert.deepEqual(
    asked.filter((call) => !call.startsWith('GET /events')),
    [`POST /tasks/${tasks[0].id}/move`],
  )
  assert.ok(asked.includes(`GET /events?after=${latest} behind ${latest}`), asked.join('\n'))
})

visit(
  'a write that is in progress when the server is killed is done once, whether or not it was already done',
  async (visit) => {
    const { page, expects, signedIn } = visit
    const { board, key, tasks } = await newBoard()
    const other = await visit.another()
    await signedIn(ownersKey, `/console/board/${board.id}`)
    await other.signedIn(ownersKey, `/console/keys?task=${key}-2`)
    await Promise.all([isLive(page), isLive(other.page)])

    // the one has done it and not said so
    const panel = other.page.getByRole('dialog', { name: new RegExp(`^${key}-2 `) })
    const composer = panel.getByRole('textbox', { name: 'Write a comment' })
    await panel.getByText('No description yet.').waitFor()
    await other.page.keyboard.press('e')
    const editor = panel.getByRole('textbox', { name: 'Description' })
    await editor.fill('Once')
    await composer.fill('Once')
    const { until: sent, lose } = await holdAnswers(other.page)
    await editor.press('Control+Enter')
    await composer.press('Control+Enter')
    await sent(2)

    // the other one is at it
    const held = await hold(file, settings.DATABASE_URL, 'select 1 from tasks where id = $1 for update', [tasks[0].id])
    await card(page, `${key}-1`).getByRole('link').focus()
    for (const pressed of ['Space', 'ArrowRight', 'Enter']) await page.keyboard.press(pressed)
    await card(page, `${key}-1`).getByText('Moving…').waitFor()
    await held.waiters(1)
    await kill()
    await held.release()
    lose()
    for (const one of [visit, other]) {
      one.expects(/ERR_/)
      await isAway(one.page).waitFor()
      await one.page.getByText('The server did not respond').first().waitFor()
    }
    await standsIn(
      page,
      'To do',
      [1, 2, 3].map((n) => `${key}-${n}`),
    )
    assert.deepEqual([await editor.inputValue(), await composer.inputValue()], ['Once', 'Once'])
    await startAgain()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(`${key}-1 moved to Doing.`).waitFor()
    expects(/ERR_/)
    other.expects(/ERR_|412/)
    for (const which of ['last', 'first'] as const)
      await panel.getByRole('button', { name: 'Try again' })[which]().click()
    await editor.waitFor({ state: 'detached' })
    await panel.getByRole('listitem').filter({ hasText: 'Once' }).waitFor()
    assert.equal(await movesOf(tasks[0].id), 1)
    const { body: comments } = await owner.get(`/tasks/${tasks[1].id}/comments`)
    const { body: described } = await owner.get(`/tasks/${tasks[1].id}`)
    assert.deepEqual([comments.total, described.description, described.version], [1, 'Once', 2])
  },
)

visit('a view that is opened while the server is away appears by itself when it is back', async (visit) => {
  const { key } = await newBoard()
  const other = await visit.another()
  const link = ({ page }: Visit, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await Promise.all([visit, other].map(({ signedIn }) => signedIn(ownersKey, '/console/trash')))
  // of this one the code is there
  await link(visit, 'Keys')
  await visit.page.getByText('You are signed in with this key').waitFor()
  await link(visit, 'Trash')
  await visit.page.getByText('Nothing was deleted').waitFor()
  await Promise.all([visit, other].map(({ page }) => isLive(page)))
  await kill()
  for (const { page, expects } of [visit, other]) {
    expects(/ERR_/)
    await isAway(page).waitFor()
  }
  await link(visit, 'Keys')
  await visit.page.getByText('The server did not respond.').waitFor()
  await link(other, 'List')
  await other.page.getByText('This view could not be loaded').waitFor()
  await startAgain()
  await visit.page.getByText('You are signed in with this key').waitFor()
  assert.equal(await visit.page.getByText('The server did not respond.').count(), 0)
  await other.page.getByRole('link', { name: new RegExp(`^${key}-1`) }).waitFor()
})
