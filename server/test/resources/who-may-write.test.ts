import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askers, linesOf, type Verdict } from '../../../scripts/roles.ts'
import { admins, operator } from '../../src/access/caller.ts'
import { shapeOf } from '../../src/openapi/links.ts'
import { routes } from '../../src/resources/index.ts'
import { neededQueries } from '../support/samples.ts'
import { type Api, sharedServer, type World } from '../support/world.ts'
import { type Made, makers } from './makers.ts'

const { newWorld } = await sharedServer()

const roles: readonly string[] = askers
const name = 'A new name'
const email = '<random>@example.com'
const url = 'https://example.com/hook'

/** A request, and its status for each of the roles. */
const table: [request: string, body: object | undefined, statuses: string][] = [
  ['POST /projects', { name }, '201 201 403 403 403 403'],
  ['GET /projects/<project>', undefined, '200 200 200 200 200 404'],
  ['PATCH /projects/<project>', { name }, '200 200 200 403 403 404'],
  ['DELETE /projects/<project>', undefined, '204 204 403 403 403 404'],
  ['POST /projects/<project>/archive', undefined, '200 200 200 403 403 404'],
  ['POST /projects/<archived>/unarchive', undefined, '200 200 200 403 403 404'],
  ['POST /projects/<deletedProject>/restore', undefined, '200 200 403 403 403 404'],

  ['GET /projects/<project>/members', undefined, '200 200 200 200 200 404'],
  ['GET /projects/<project>/members/<colleague>', undefined, '200 200 200 200 200 404'],
  ['POST /projects/<project>/members', { memberId: '<outsider>', role: 'lead' }, '201 201 201 403 403 404'],
  ['PATCH /projects/<project>/members/<colleague>', { role: 'lead' }, '200 200 200 403 403 404'],
  ['DELETE /projects/<project>/members/<colleague>', undefined, '204 204 204 403 403 404'],

  ['GET /workspaces/<board>', undefined, '200 200 200 200 200 404'],
  ['POST /workspaces', { name, projectId: '<project>' }, '201 201 201 403 403 404'],
  ['PATCH /workspaces/<board>', { name }, '200 200 200 403 403 404'],
  ['DELETE /workspaces/<board>', undefined, '204 204 204 403 403 404'],
  ['POST /workspaces/<deletedBoard>/restore', undefined, '200 200 403 403 403 404'],
  ['GET /workspaces/<sharedBoard>', undefined, '200 200 200 200 200 200'],
  ['POST /workspaces', { name }, '201 201 403 403 403 403'],
  ['PATCH /workspaces/<sharedBoard>', { name }, '200 200 403 403 403 403'],
  ['DELETE /workspaces/<sharedBoard>', undefined, '204 204 403 403 403 403'],
  ['POST /workspaces/<deletedSharedBoard>/restore', undefined, '200 200 403 403 403 403'],

  ['GET /workspaces/<board>/stages', undefined, '200 200 200 200 200 404'],
  ['GET /workspaces/<board>/board', undefined, '200 200 200 200 200 404'],
  ['GET /stages/<stage>', undefined, '200 200 200 200 200 404'],
  ['POST /workspaces/<board>/stages', { name }, '201 201 201 403 403 404'],
  ['PATCH /stages/<stage>', { name }, '200 200 200 403 403 404'],
  ['DELETE /stages/<stage>', undefined, '204 204 204 403 403 404'],
  ['POST /stages/<stage>/move', { beforeId: '<nextStage>' }, '200 200 200 403 403 404'],
  ['POST /stages/<deletedStage>/restore', undefined, '200 200 403 403 403 404'],
  ['GET /workspaces/<sharedBoard>/stages', undefined, '200 200 200 200 200 200'],
  ['GET /workspaces/<sharedBoard>/board', undefined, '200 200 200 200 200 200'],
  ['GET /stages/<sharedStage>', undefined, '200 200 200 200 200 200'],
  ['POST /workspaces/<sharedBoard>/stages', { name }, '201 201 403 403 403 403'],
  ['PATCH /stages/<sharedStage>', { name }, '200 200 403 403 403 403'],
  ['DELETE /stages/<sharedStage>', undefined, '204 204 403 403 403 403'],
  ['POST /stages/<sharedStage>/move', { beforeId: '<nextStage>' }, '200 200 403 403 403 403'],
  ['POST /stages/<deletedSharedStage>/restore', undefined, '200 200 403 403 403 403'],

  ['GET /tasks/<task>', undefined, '200 200 200 200 200 404'],
  ['GET /tasks/<task>/history', undefined, '200 200 200 200 200 404'],
  ['POST /tasks', { name, projectId: '<project>' }, '201 201 201 201 403 404'],
  ['PATCH /tasks/<task>', { name }, '200 200 200 200 403 404'],
  ['POST /tasks/<task>/move', { workspaceId: '<sharedBoard>' }, '200 200 200 200 403 404'],
  ['DELETE /tasks/<task>', undefined, '204 204 204 204 403 404'],
  ['POST /tasks/<deletedTask>/restore', undefined, '200 200 403 403 403 404'],

  ['GET /tasks/<task>/subtasks', undefined, '200 200 200 200 200 404'],
  ['GET /subtasks/<subtask>', undefined, '200 200 200 200 200 404'],
  ['POST /tasks/<task>/subtasks', { name }, '201 201 201 201 403 404'],
  ['PATCH /subtasks/<subtask>', { name }, '200 200 200 200 403 404'],
  ['POST /subtasks/<subtask>/finalize', undefined, '200 200 200 200 403 404'],
  ['POST /subtasks/<finalized>/reopen', undefined, '200 200 200 200 403 404'],
  ['POST /subtasks/<subtask>/move', { afterId: '<nextSubtask>' }, '200 200 200 200 403 404'],
  ['DELETE /subtasks/<subtask>', undefined, '204 204 204 204 403 404'],
  ['POST /subtasks/<deletedSubtask>/restore', undefined, '200 200 403 403 403 404'],

  ['GET /tasks/<task>/comments', undefined, '200 200 200 200 200 404'],
  ['POST /tasks/<task>/comments', { body: 'Looks good' }, '201 201 201 201 403 404'],
  ['GET /comments/<othersComment>', undefined, '200 200 200 200 200 404'],
  ['PATCH /comments/<ownComment>', { body: 'Looks better' }, '200 200 200 200 403 404'],
  ['PATCH /comments/<othersComment>', { body: 'Looks better' }, '403 403 403 403 403 404'],
  ['DELETE /comments/<ownComment>', undefined, '204 204 204 204 403 404'],
  ['DELETE /comments/<othersComment>', undefined, '204 204 204 403 403 404'],
  ['POST /comments/<deletedComment>/restore', undefined, '200 200 403 403 403 404'],

  ['GET /time-entries/<othersTime>', undefined, '200 200 200 200 200 404'],
  ['POST /time-entries', { taskId: '<task>' }, '201 201 201 201 403 404'],
  ['POST /time-entries', { subtaskId: '<subtask>' }, '201 201 201 201 403 404'],
  ['PATCH /time-entries/<ownTime>', { billable: true }, '200 200 200 200 403 404'],
  ['DELETE /time-entries/<ownTime>', undefined, '204 204 204 204 403 404'],
  ['POST /time-entries', { taskId: '<task>', memberId: '<outsider>' }, '201 201 201 403 403 404'],
  ['PATCH /time-entries/<othersTime>', { billable: true }, '200 200 200 403 403 404'],
  ['DELETE /time-entries/<othersTime>', undefined, '204 204 204 403 403 404'],
  ['POST /time-entries/<deletedTime>/restore', undefined, '200 200 403 403 403 404'],
  ['POST /timer/start', { taskId: '<task>' }, '201 201 201 201 403 404'],
  ['POST /timer/stop', undefined, '412 412 412 412 412 412'],

  ['GET /tags/<tag>', undefined, '200 200 200 200 200 200'],
  ['POST /tags', { name: '<random>' }, '201 201 201 201 201 201'],
  ['PATCH /tags/<tag>', { color: '#000000' }, '200 200 200 200 200 200'],
  ['DELETE /tags/<tag>', undefined, '204 204 204 204 204 204'],
  ['POST /tags/<deletedTag>/restore', undefined, '200 200 403 403 403 403'],

  ['GET /task-types/<type>', undefined, '200 200 200 200 200 200'],
  ['POST /task-types', { name: '<random>' }, '201 201 403 403 403 403'],
  ['PATCH /task-types/<type>', { icon: 'bug' }, '200 200 403 403 403 403'],
  ['DELETE /task-types/<type>', undefined, '204 204 403 403 403 403'],
  ['POST /task-types/<deletedType>/restore', undefined, '200 200 403 403 403 403'],

  ['GET /members/<outsider>', undefined, '200 200 200 200 200 200'],
  ['POST /members', { name, email }, '201 201 403 403 403 403'],
  ['PATCH /members/<outsider>', { name }, '200 200 403 403 403 403'],
  ['DELETE /members/<outsider>', undefined, '204 204 403 403 403 403'],
  ['POST /members/<deletedMember>/restore', undefined, '200 200 403 403 403 403'],
  ['POST /members/<outsider>/erase', undefined, '200 403 403 403 403 403'],

  ['POST /members/<invitee>/invite', undefined, '201 201 403 403 403 403'],
  ['GET /invitations/<invitation>', undefined, '200 200 403 403 403 403'],
  ['DELETE /invitations/<invitation>', undefined, '204 204 403 403 403 403'],

  ['GET /api-keys/<ownKey>', undefined, '200 200 200 200 200 200'],
  ['POST /api-keys', { name }, '201 201 201 201 201 201'],
  ['POST /api-keys', { name, memberId: '<outsider>' }, '201 201 403 403 403 403'],
  ['POST /api-keys/<ownKey>/rotate', {}, '201 201 201 201 201 201'],
  ['DELETE /api-keys/<ownKey>', undefined, '204 204 204 204 204 204'],
  ['GET /api-keys/<othersKey>', undefined, '200 200 404 404 404 404'],
  ['POST /api-keys/<othersKey>/rotate', {}, '201 201 404 404 404 404'],
  ['DELETE /api-keys/<othersKey>', undefined, '204 204 404 404 404 404'],

  ['POST /webhooks', { url }, '201 201 403 403 403 403'],
  ['GET /webhooks/<webhook>', undefined, '200 200 403 403 403 404'],
  ['PATCH /webhooks/<webhook>', { url }, '200 200 403 403 403 404'],
  ['DELETE /webhooks/<webhook>', undefined, '204 204 403 403 403 404'],
  ['POST /webhooks/<webhook>/pause', undefined, '200 200 403 403 403 404'],
  ['POST /webhooks/<pausedWebhook>/resume', undefined, '200 200 403 403 403 404'],
  ['POST /webhooks/<deletedWebhook>/restore', undefined, '200 200 403 403 403 404'],
  ['GET /webhooks/<sharedWebhook>', undefined, '200 200 403 403 403 403'],
  ['PATCH /webhooks/<sharedWebhook>', { url }, '200 200 403 403 403 403'],
  ['DELETE /webhooks/<sharedWebhook>', undefined, '204 204 403 403 403 403'],
  ['POST /webhooks/<sharedWebhook>/pause', undefined, '200 200 403 403 403 403'],
  ['POST /webhooks/<pausedSharedWebhook>/resume', undefined, '200 200 403 403 403 403'],
  ['POST /webhooks/<deletedSharedWebhook>/restore', undefined, '200 200 403 403 403 403'],
  ['POST /webhooks/<webhook>/rotate-secret', {}, '200 200 403 403 403 404'],
  ['POST /webhooks/<webhook>/test', undefined, '200 200 403 403 403 404'],
  ['POST /webhooks/<webhook>/replay', { after: 0 }, '200 200 403 403 403 404'],
  ['GET /webhooks/<webhook>/deliveries', undefined, '200 200 403 403 403 404'],
  ['GET /deliveries/<delivery>', undefined, '200 200 403 403 403 404'],
  ['POST /deliveries/<delivery>/redeliver', undefined, '200 200 403 403 403 404'],
  ['POST /webhooks/<sharedWebhook>/rotate-secret', {}, '200 200 403 403 403 403'],
  ['POST /webhooks/<sharedWebhook>/test', undefined, '200 200 403 403 403 403'],
  ['POST /webhooks/<sharedWebhook>/replay', { after: 0 }, '200 200 403 403 403 403'],
  ['GET /webhooks/<sharedWebhook>/deliveries', undefined, '200 200 403 403 403 403'],
  ['GET /deliveries/<sharedDelivery>', undefined, '200 200 403 403 403 403'],
  ['POST /deliveries/<sharedDelivery>/redeliver', undefined, '200 200 403 403 403 403'],

  ['PATCH /organization', { name }, '200 200 403 403 403 403'],
  // a dry run, as the others who ask are in it too
  ['DELETE /organization?dryRun=true&name=<organizationName>', undefined, '204 403 403 403 403 403'],
  [
    'POST /bulk',
    { operations: [{ method: 'POST', path: '/tags', body: { name: '<random>' } }] },
    '200 200 200 200 200 200',
  ],
  ...routes
    .filter(({ method, ids }) => method === 'GET' && ids.length === 0)
    .map(({ path, roles: allowed }): [string, undefined, string] => {
      const query = neededQueries[`GET ${path}`]
      const members = allowed === admins ? '403 403 403 403' : '200 200 200 200'
      return [`GET ${path}${query ? `?${query}` : ''}`, undefined, `200 200 ${members}`]
    }),
]

/** An organization, and in it somebody for each of the roles. */
interface Setting {
  world: World
  callers: Api[]
  /** a project of each role */
  projects: Map<string, string>
}

async function newSetting(): Promise<Setting> {
  const world = await newWorld()
  const others = await Promise.all(roles.slice(2).map((role) => world.join(role, 'member')))
  return { world, callers: [world.owner, world.admin, ...others], projects: new Map() }
}

// each request makes what it names; but there may be only so many webhooks, and nobody works twice at one time
const alone = /^\w+ \/(?:webhooks|deliveries|time-entries|timer)/
const shared = await newSetting()

/** A project in which the caller has the role, and nothing else: kept for the next request, but for those that change it. */
async function projectFor({ world, projects }: Setting, caller: Api, role: string, request: string): Promise<string> {
  const known = projects.get(role)
  if (known !== undefined && !changesProject.test(request)) return known
  const { id } = await world.project()
  if (['lead', 'contributor', 'viewer'].includes(role)) await world.addToProject(id, caller, role)
  projects.set(role, id)
  return id
}

const changesProject = /<(?:project|archived|deletedProject|colleague)>/

for (const [request, body, statuses] of table) {
  test(`${request}${body ? ` ${JSON.stringify(body)}` : ''} is ${statuses} for ${roles.join(', ')}`, async () => {
    const setting = alone.test(request) ? await newSetting() : shared
    const { world, callers } = setting
    const answers = callers.map(async (caller, i) => {
      const role = roles[i] ?? ''
      const projectId = await projectFor(setting, caller, role, request)
      const made: Made = {}
      const fill = (text: string) =>
        filledIn(text, async (thing) => {
          made[thing] = await (makers[thing] ?? assert.fail(thing))(world, projectId, caller, made)
          return made[thing]
        })
      const [method = '', path = ''] = request.split(' ')
      const filled = await fill(path)
      return (await caller.call(method, filled, body && (await fill(JSON.stringify(body))))).status
    })
    assert.equal((await Promise.all(answers)).join(' '), statuses)
  })
}

/** The text, with the id of a new thing wherever one is named in angle brackets. */
async function filledIn(text: string, make: (thing: string) => Promise<{ id: string }>): Promise<string> {
  let filled = text
  for (const [named, thing = ''] of text.matchAll(/<(\w+)>/g)) filled = filled.replace(named, (await make(thing)).id)
  return filled
}

test('the table in docs/roles.md gives the right response for each request that was tried, and misses none', () => {
  const tried = table.map(([request, , statuses]) => {
    const [method, path = ''] = request.split(/[ ?]/)
    const shape = path.replace(/<\w+>/g, '{}')
    const route = routes.find((candidate) => candidate.method === method && shapeOf(candidate.path) === shape)
    assert.ok(route, request)
    return { request, route, verdicts: statuses.split(' ').map(verdictOf).join() }
  })
  const said = routes
    .flatMap((route) => linesOf(route, routes))
    .map(({ route, when, verdicts }) => ({ route, when, verdicts: verdicts.join() }))
  for (const { request, route, verdicts } of tried) {
    const lines = said.filter((line) => line.route === route)
    assert.ok(
      lines.some((line) => line.verdicts === verdicts),
      `${request}: ${verdicts}`,
    )
  }
  for (const { route, when, verdicts } of said) {
    const line = `${route.method} ${route.path} ${when}: ${verdicts}`
    assert.ok(
      tried.some((request) => request.route === route && request.verdicts === verdicts),
      line,
    )
  }
  for (const route of routes)
    assert.equal(
      said.some((line) => line.route === route),
      route.roles !== operator,
    )
})

/** Who is refused by the state of things (412) may do it. */
function verdictOf(status: string): Verdict {
  return status === '403' ? 403 : status === '404' ? 404 : 'yes'
}
