import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { goTo, startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const everybody = ['owner', 'admin', 'lead', 'contributor', 'viewer', 'stranger', 'reader'] as const
type Who = (typeof everybody)[number]
const admins: readonly Who[] = ['owner', 'admin']
const leads: readonly Who[] = [...admins, 'lead']
const workers: readonly Who[] = [...leads, 'contributor']
const writers: readonly Who[] = [...workers, 'viewer', 'stranger']
/** all that see the project */
const insiders = everybody.filter((who) => who !== 'stranger')

/** The scene with somebody of each role in it; the reader is the owner with a key that only reads. */
async function cast() {
  const scene = await newScene()
  const { owner, admin, join, addToProject, project, tasks, inStage } = scene
  const joined = async (name: string, role: string) => {
    const api = await join(name, 'member')
    await addToProject(project.id, api, role)
    return api
  }
  const [lead, contributor] = [await joined('Lea Lead', 'lead'), await joined('Carl Contributor', 'contributor')]
  const [viewer, stranger] = [await joined('Vera Viewer', 'viewer'), await join('Stan Stranger', 'member')]
  const { body: key } = await owner.post('/api-keys', { name: 'Reads', scopes: ['read'] })
  const people = { owner, admin, lead, contributor, viewer, stranger, reader: { ...owner, key: key.secret } }
  await contributor.post(`/tasks/${tasks.form.id}/comments`, { body: 'Which fields?' })
  const steps = ['Ask', 'Draw', 'Build', 'Look', 'Tell'].map((name) => scene.subtask(tasks.form.id, { name }))
  await Promise.all(
    [owner, admin, lead, contributor, viewer].map(async ({ memberId }, place) => {
      const step = await steps[place]
      await owner.patch(`/subtasks/${step.id}`, { assigneeId: memberId })
    }),
  )
  const gone = await scene.task({ ...inStage('To do'), name: 'Long gone' })
  await owner.delete(`/tasks/${gone.id}`)
  return { ...scene, people }
}

/** What may be there for some alone, in a place: its role and name, and for whom. */
type Offers = readonly (readonly ['button' | 'textbox' | 'menuitem' | 'checkbox', string, readonly Who[]])[]

async function areOffered(page: Page, who: Who, offers: Offers) {
  for (const [role, name, whom] of offers) {
    const control = page.getByRole(role, { name, exact: true, disabled: false }).first()
    if (whom.includes(who)) await control.waitFor()
    else assert.equal(await control.count(), 0, `${who} is offered “${name}”`)
  }
}

const places: readonly {
  at: (scene: Awaited<ReturnType<typeof cast>>) => string
  /** who sees it, and what is there then */
  whom: readonly Who[]
  seen: (page: Page) => Promise<unknown>
  offers: Offers
}[] = [
  {
    at: ({ board }) => `/board/${board.id}`,
    whom: insiders,
    seen: (page) => page.getByRole('link', { name: /^WEB-1 / }).waitFor(),
    offers: [
      ['button', 'New task in To do', workers],
      ['button', 'Actions for the stage To do', leads],
      ['button', 'Actions for the board', leads],
    ],
  },
  {
    at: () => '/list?task=WEB-3',
    whom: insiders,
    seen: (page) => page.getByRole('dialog').getByText('Which fields?').waitFor(),
    offers: [
      ['button', 'Build the contact form (Rename)', workers],
      ['button', 'Edit the description', workers],
      ['textbox', 'New subtask', workers],
      ['checkbox', 'Done: Draw', workers],
      ['button', 'Actions for Draw', workers],
      ['textbox', 'Write a comment', workers],
      ['textbox', 'Log time', workers],
      ['textbox', 'Estimate', workers],
      ['button', 'Start timer', workers],
      ['button', 'Assignees: Olivia Owner, Mia Member', workers],
    ],
  },
  {
    at: () => '/my-work',
    whom: [...workers, 'viewer', 'reader'],
    seen: (page) =>
      page
        .getByText(/^(Ask|Draw|Build|Look|Tell)$/)
        .first()
        .waitFor(),
    offers: [],
  },
  {
    at: () => '/timesheet',
    whom: everybody,
    seen: (page) => page.getByText('No time is logged').waitFor(),
    offers: [['button', 'Add a task: Add a task', workers]],
  },
  {
    at: () => '/people',
    whom: everybody,
    seen: (page) => page.getByText('Vera Viewer').first().waitFor(),
    offers: [
      ['button', 'New member', admins],
      ['button', 'Actions for Mia Member', admins],
      ['button', 'Actions for Olivia Owner', ['owner']],
    ],
  },
  {
    at: () => '/people/projects',
    whom: insiders,
    seen: (page) => page.getByRole('link', { name: 'Website' }).waitFor(),
    offers: [
      ['button', 'New project', admins],
      ['button', 'Actions for Website', leads],
    ],
  },
  {
    at: ({ project }) => `/people/projects/${project.id}`,
    whom: insiders,
    seen: (page) => page.getByText('Vera Viewer').first().waitFor(),
    offers: [
      ['button', 'Actions for Website', leads],
      ['button', 'Choose a member: Choose a member', leads],
      ['button', 'Remove Vera Viewer', leads],
    ],
  },
  {
    at: () => '/keys',
    whom: everybody,
    seen: (page) => page.getByText('You are signed in with this key').waitFor(),
    offers: [['button', 'New key', writers]],
  },
  {
    at: () => '/webhooks',
    whom: everybody,
    seen: (page) =>
      page
        .getByText(/^(There are no webhooks|.*owners and admins)/i)
        .first()
        .waitFor(),
    offers: [['button', 'New webhook', admins]],
  },
  {
    at: () => '/trash',
    whom: insiders,
    seen: (page) => page.getByText('Long gone').waitFor(),
    offers: [['button', 'Restore WEB-5 Long gone', admins]],
  },
]

visit(
  'nobody is offered an action that the server would refuse, and every allowed one is offered',
  async ({ page, signedIn }) => {
    const scene = await cast()
    const refused: string[] = []
    page.on('response', (response) => {
      if ([403, 404].includes(response.status())) refused.push(`${response.request().method()} ${response.url()}`)
    })
    for (const who of everybody) {
      await signedIn(scene.people[who].key, '/console/keys')
      for (const { at, whom, seen, offers } of places) {
        if (!whom.includes(who)) continue
        await goTo(page, at(scene))
        await seen(page)
        await areOffered(page, who, offers)
      }
      assert.deepEqual(refused, [], who)
      await page.evaluate('sessionStorage.clear(), localStorage.clear()')
    }
  },
)

const boardKeys = ['n', 'm', 'a', 'd', 'Delete', ' '] as const
const panelKeys = ['a', 'e', 's', 't', 'c'] as const

/** Presses keys, each of which says why it does nothing, and counts what was written. */
async function sayWhyNot(
  { page }: Visit,
  keys: readonly string[],
  why: RegExp,
  focus: () => Promise<void>,
  leave = async () => {},
) {
  for (const key of keys) {
    await focus()
    await page.keyboard.press(key)
    const told = page.getByRole('region', { name: 'Messages' }).getByText(why)
    await told.waitFor()
    await leave()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await told.waitFor({ state: 'detached' })
  }
}

for (const [who, why] of [
  ['viewer', /You are a viewer of this project/],
  ['reader', /can only read/],
] as const)
  visit(`a shortcut that does nothing for the ${who} says why, and no command does it either`, async (visit) => {
    const { page, signedIn } = visit
    const { people, board } = await cast()
    const written: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && written.push(request.url()))
    await signedIn(people[who].key, `/console/board/${board.id}`)
    const card = page.getByRole('link', { name: /^WEB-1 / })
    await card.waitFor()
    await sayWhyNot(visit, boardKeys, why, () => card.focus())
    await card.hover()
    await page.mouse.down()
    await page.mouse.move(900, 300, { steps: 5 })
    assert.equal(await page.locator('.board-carried').count(), 0)
    await page.mouse.up()
    await page.getByRole('button', { name: 'Actions for WEB-1' }).click()
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Open'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new task')
    await page.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await goTo(page, '/list?task=WEB-3')
    const panel = page.getByRole('dialog')
    await panel.getByText(why).waitFor()
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    const comeBack = async () => {
      await goTo(page, '/list?task=WEB-3')
      await panel.getByText(why).waitFor()
      await panel.getByRole('button', { name: 'Close' }).focus()
    }
    // it lies above the messages
    const leave = async () => {
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
    }
    await sayWhyNot(visit, panelKeys, why, comeBack, leave)
    await comeBack()
    await visit.accessible()
    await visit.screenshots(`task-${who}`)
    assert.deepEqual(written, [])
  })
