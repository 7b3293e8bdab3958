import assert from 'node:assert/strict'
import type { Locator, Page, Route } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

type Scene = Awaited<ReturnType<typeof newScene>>

/** Where somebody types, and how it is sent. */
interface Field {
  open?: (page: Page) => Promise<unknown>
  at: (page: Page) => Locator
  text?: string
  fill?: (page: Page) => Promise<unknown>
  send?: (page: Page, field: Locator) => Promise<unknown>
  shown?: (field: Locator) => Promise<string>
}

/** Fields that are filled in at once, where they stand. */
interface Place {
  path: string
  /** what is read there once it can be used */
  ready: string
  /** whether somebody who comes back opens it again, or finds it as it was */
  isOpenedAgain?: boolean
  fields: Record<string, Field>
}

const failures: Record<string, (route: Route) => Promise<void>> = {
  'a connection that is refused': (route) => route.abort('connectionrefused'),
  'a failure of the server': refuse(500, 'internal_error'),
  'a server that is too busy': refuse(503, 'too_busy', { 'retry-after': '3600' }),
  'a conflict': refuse(409, 'idempotency_key_reused'),
  'another version': refuse(412, 'etag_mismatch'),
}

function refuse(status: number, code: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ error: 'Not now' })
  const answer = { status, body, headers: { 'content-type': 'application/json', 'x-error-code': code, ...headers } }
  return (route: Route) => route.fulfill(answer)
}

const typed = 'Written by hand'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const item = async (page: Page, menu: string, name: string) => {
  await button(page, menu)
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const textbox = (name: string) => (page: Page) => page.getByRole('textbox', { name, exact: true })
const inDialog = (name: string) => (page: Page) => page.getByRole('dialog').getByLabel(name, { exact: true })
const enter = (_: Page, field: Locator) => field.press('Enter')
const controlEnter = (_: Page, field: Locator) => field.press('Control+Enter')

const ofTask: Record<string, Field> = {
  'the name': { open: (page) => page.getByTitle('Rename').click(), at: textbox('Name') },
  'the description': {
    open: (page) => button(page, 'Edit the description'),
    at: textbox('Description'),
    send: controlEnter,
  },
  'a comment': { at: textbox('Write a comment'), send: controlEnter },
  'a comment of before': {
    open: (page) => page.getByRole('listitem').filter({ hasText: 'Said before' }).getByText('Edit').click(),
    at: textbox('Edit the comment'),
    send: controlEnter,
  },
  'a new subtask': { at: textbox('New subtask') },
  'a subtask': { open: (page) => button(page, 'Check the address'), at: textbox('Name of the subtask') },
  'an estimate': { at: textbox('Estimate'), text: '1h37' },
  'time to be logged': { at: textbox('Log time'), text: '1h37' },
}

const monday = (page: Page) => page.getByRole('gridcell', { name: /^WEB-3.*, Monday/ })
const ofEntries: Record<string, Field> = {
  'an entry': {
    open: async (page) => {
      await monday(page).click()
      await button(page, 'Entries…')
    },
    at: (page) => inDialog('Description')(page).first(),
  },
  'a new entry': {
    at: (page) => inDialog('Description')(page).last(),
    fill: async (page) => {
      await inDialog('Time')(page).last().fill('30m')
      await inDialog('Description')(page).last().fill(typed)
    },
  },
}
const ofCell: Record<string, Field> = {
  'a cell': {
    at: monday,
    text: '2h',
    fill: async (page) => {
      await monday(page).click()
      await page.keyboard.type('2h')
    },
    send: async (page, cell) => {
      if ((await page.locator('.ts-input').count()) === 0) await cell.press('Enter')
      await page.keyboard.press('Enter')
    },
    shown: async (cell) => cell.locator('.ts-typed').innerText(),
  },
}

const inForm = (open: (page: Page) => Promise<unknown>, label: string, more: Partial<Field> = {}) => ({
  isOpenedAgain: true,
  fields: { [label]: { open, at: inDialog(label), ...more } },
})

function places({ board }: Scene): Place[] {
  const [onBoard, week] = [`/console/board/${board.id}`, '/console/timesheet?week=2026-03-02']
  const ofBoard = (name: string) => (page: Page) => item(page, 'Actions for the board', name)
  const newTask = { open: (page: Page) => button(page, 'New task in To do'), at: textbox('New task') }
  return [
    { path: `${onBoard}?task=WEB-3`, ready: 'Created by Olivia Owner', fields: ofTask },
    { path: onBoard, ready: 'Draw a logo', isOpenedAgain: true, fields: { 'a new task': newTask } },
    { path: week, ready: 'Total', fields: ofCell },
    { path: week, ready: 'Total', isOpenedAgain: true, fields: ofEntries },
    {
      ...{ path: onBoard, ready: 'Draw a logo' },
      ...inForm((page) => item(page, 'Actions for the stage Review', 'Edit the stage'), 'Name'),
    },
    { path: onBoard, ready: 'Draw a logo', ...inForm(ofBoard('New stage'), 'Name', { text: 'One more' }) },
    { path: onBoard, ready: 'Draw a logo', ...inForm(ofBoard('Rename the board'), 'Name of the board') },
    { path: onBoard, ready: 'Draw a logo', ...inForm(ofBoard('New board'), 'Name of a new project') },
    {
      ...{ path: '/console/people', ready: 'Mia Member' },
      ...inForm((page) => button(page, 'New member'), 'Name', {
        fill: async (page) => {
          await inDialog('Name')(page).fill(typed)
          await inDialog('E-mail address')(page).fill('hand@example.com')
        },
      }),
    },
    {
      ...{ path: '/console/people/projects', ready: 'Website' },
      ...inForm((page) => button(page, 'New project'), 'Name'),
    },
    {
      ...{ path: '/console/keys', ready: 'You are signed in with this key' },
      ...inForm((page) => button(page, 'New key'), 'Name'),
    },
    {
      ...{ path: '/console/webhooks', ready: 'There are no webhooks.' },
      ...inForm((page) => button(page, 'New webhook'), 'URL', { text: 'https://hooks.example.com/by-hand' }),
    },
  ]
}

visit('typed text survives every event, and is saved in the end', async (visit) => {
  const scene = await newScene()
  const { owner, tasks } = scene
  await owner.post(`/tasks/${tasks.form.id}/comments`, { body: 'Said before' })
  await scene.timeEntry({ taskId: tasks.form.id, startedAt: '2026-03-02T09:00:00Z', durationSeconds: 3_600 })
  const left = places(scene)
  const visits = [visit, await visit.another(), await visit.another()]
  const going = visits.map(async (one) => {
    one.expects(/ERR_CONNECTION_REFUSED/)
    one.expects(/status of (401|409|412|500|503)/)
    for (let place = left.shift(); place; place = left.shift()) await survives(one, owner.key, place)
  })
  await Promise.all(going)
})

/** Writes at a place, lets it fail in every way, and comes back to it. */
async function survives({ page, signedIn }: Visit, key: string, { path, ready, isOpenedAgain, fields }: Place) {
  const all = Object.entries(fields)
  const [first = assert.fail()] = all
  let fail: ((route: Route) => Promise<void>) | undefined
  const sent = new Set<string>()
  const answer = async (route: Route) => {
    if (fail === undefined || route.request().method() === 'GET') return route.continue()
    await fail(route)
    sent.add(`${route.request().url()} ${route.request().postData()}`)
  }
  const isReady = () => page.getByText(ready).first().waitFor()
  const open = async () => {
    for (const [, field] of all) await field.open?.(page)
  }
  const send = ({ at, send = enter }: Field) => send(page, at(page))
  const areThere = async (after: string) => {
    for (const [name, { at, text = typed, shown = (field: Locator) => field.inputValue() }] of all)
      assert.equal(await shown(at(page)), text, `${path}: ${name} after ${after}`)
  }

  await page.route('**/api/v1/**', answer)
  await page.evaluate('sessionStorage.clear()').catch(() => {})
  await signedIn(key, path)
  await isReady()
  await open()
  // some are saved when they are left
  fail = failures['a failure of the server']
  for (const [, { at, text = typed, fill = () => at(page).fill(text) }] of all) await fill(page)
  for (const [after, way] of Object.entries(failures)) {
    fail = way
    sent.clear()
    for (const [, field] of all) await send(field)
    await until(() => sent.size >= all.length, `${path}: not all is sent before ${after}`)
    await until(async () => (await page.locator(busy).count()) === 0, `${path}: ${after} is not told`)
    await areThere(after)
  }
  fail = refuse(401, 'unauthorized')
  await send(first[1])
  await page.getByText('This key does not work').waitFor()
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isReady()
  if (isOpenedAgain) await open()
  await areThere('signing in again')
  if (!isOpenedAgain) {
    await page.reload()
    await isReady()
    await areThere('loading the page anew')
  }
  fail = undefined
  for (const [, field] of all) await send(field)
  await until(async () => (await page.evaluate(drafts)) === '', `${path}: it is not saved`)
  await page.unroute('**/api/v1/**', answer)
}

const busy = '.connection.busy, [aria-busy=true], form button[type=submit][aria-disabled=true]'
/** The drafts in which there is something that is not saved. */
const drafts = `Object.entries(sessionStorage).flatMap(([name, kept]) =>
  name.includes('.draft.') && /"text":|${typed}|by-hand|One more/.test(kept) ? kept : []).join()`
