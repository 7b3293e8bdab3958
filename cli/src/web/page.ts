import { type DayZone, dayIn } from '../arguments/days.ts'
import type { CallOptions, Taskwright } from '../client.ts'
import type { Operation } from '../operations/operation.ts'
import type { ParameterValue } from '../operations/parameter-value.ts'
import { wordsOf } from '../operations/words.ts'
import { WrongUse } from '../problems.ts'
import { rootOf } from '../sign-in/connection.ts'

/** A page of the console: its path below /console, and its query. */
interface Page {
  path: string
  query?: Readonly<Record<string, string>>
}

type Answer = Readonly<Record<string, string | null>>

/** The subject of a page. */
interface Subject {
  /** the id in the request's path */
  id: string
  /** the response of the operation; empty for lists and reports */
  answer: Answer
  /** the day of a date-time in the organization's time zone */
  dayOf: (moment: string) => Promise<string>
}

const task = (idOrKey: string | null | undefined): Page => ({ path: '/list', query: { task: idOrKey ?? '' } })

/** The page of a single resource, by the operation that reads it. */
const pagesOfOne: Readonly<Record<string, (subject: Subject) => Page | Promise<Page>>> = {
  'tasks.get': ({ answer }) => task(answer.key),
  'tasks.subtasks.list': ({ id }) => task(id),
  'tasks.comments.list': ({ id }) => task(id),
  'tasks.history.list': ({ id }) => task(id),
  'subtasks.get': ({ answer }) => task(answer.taskId),
  'comments.get': ({ answer }) => task(answer.taskId),
  'projects.get': ({ answer }) => ({ path: `/people/projects/${answer.id}` }),
  'projects.members.list': ({ id }) => ({ path: `/people/projects/${id}` }),
  'projects.members.get': ({ id }) => ({ path: `/people/projects/${id}` }),
  'workspaces.get': ({ id }) => ({ path: `/board/${id}` }),
  'boards.get': ({ id }) => ({ path: `/board/${id}` }),
  'stages.list': ({ id }) => ({ path: `/board/${id}` }),
  'stages.get': ({ answer }) => ({ path: `/board/${answer.workspaceId}` }),
  'timeEntries.get': async ({ answer: { id, memberId, startedAt }, dayOf }) => ({
    path: '/timesheet',
    query: { week: await dayOf(String(startedAt)), member: String(memberId), entry: String(id) },
  }),
  'webhooks.get': ({ id }) => ({ path: `/webhooks/${id}` }),
  'webhooks.deliveries.list': ({ id }) => ({ path: `/webhooks/${id}` }),
  'deliveries.get': ({ answer }) => ({ path: `/webhooks/${answer.webhookId}` }),
}

/** A page of a list or report. */
interface PageOfMany extends Page {
  /** the filters of the page, and their names in its address */
  filters?: Readonly<Record<string, string>>
}

const filtersOfTasks = [
  ...['projectId', 'workspaceId', 'stageId', 'stageCategory', 'typeId', 'assigneeId', 'createdBy', 'tagId', 'anyTagId'],
  ...['priority', 'dueDate', 'id', 'completed', 'dueBefore', 'dueAfter', 'createdBefore', 'createdAfter'],
  ...['updatedAfter', 'q', 'sort'],
]

const filtersOfReports = { groupBy: 'by', projectId: 'project', anyTagId: 'tag' }

/** The pages of lists and reports. */
const pagesOfMany: Readonly<Record<string, PageOfMany>> = {
  'tasks.list': { path: '/list', filters: Object.fromEntries(filtersOfTasks.map((name) => [name, name])) },
  search: { path: '/list', filters: { q: 'q', projectId: 'projectId' } },
  'projects.list': { path: '/people/projects', filters: { q: 'q', status: 'status' } },
  'members.list': { path: '/people', filters: { q: 'q' } },
  'workspaces.list': { path: '/board' },
  'timeEntries.list': { path: '/timesheet', filters: { memberId: 'member' } },
  'timer.get': { path: '/timesheet' },
  'reports.time': { path: '/reports', filters: { ...filtersOfReports, memberId: 'member', billable: 'billable' } },
  'reports.tasks': {
    ...{ path: '/reports', query: { tab: 'tasks' } },
    filters: { ...filtersOfReports, assigneeId: 'member', completed: 'completed' },
  },
  'apiKeys.list': { path: '/keys' },
  'webhooks.list': { path: '/webhooks' },
  'trash.list': { path: '/trash' },
}

/** Parameters of pagination and format, which the page ignores. */
const isOfAnswer = (name: string) => ['limit', 'offset', 'cursor', 'fields', 'include'].includes(name)

/** Whether the console has a page for an operation. */
export const hasPage = ({ name }: Operation): boolean =>
  Object.hasOwn(pagesOfOne, name) || Object.hasOwn(pagesOfMany, name)

/** @throws WrongUse if the console has no page for it */
export function refusePageless(operation: Operation): void {
  if (operation.method !== 'GET') throw new WrongUse('--web works only with reads.')
  const words = wordsOf(operation).join(' ')
  if (!hasPage(operation)) throw new WrongUse(`The console has no page for tw ${words}. Omit --web.`)
}

/** The data for finding the page of a single resource. */
interface PageRequest {
  tw: Taskwright
  zoneOf: DayZone
  options: CallOptions
}

/**
 * The page for an operation. For a single resource, it must read the resource first.
 * @throws WrongUse if the page does not support a given filter
 */
export async function pageOf(
  { name }: Operation,
  { path, query, typed }: { path: string; query: Readonly<Record<string, unknown>>; typed: readonly ParameterValue[] },
  { tw, zoneOf, options }: PageRequest,
): Promise<Page> {
  const { filters = {}, ...page }: PageOfMany = pagesOfMany[name] ?? (await pageOfOne())
  // a timesheet without a member is that of the user
  const isMine = (value: unknown) => page.path === '/timesheet' && value === 'me'
  const asked = Object.entries(query).filter(([filter, value]) => !isOfAnswer(filter) && !isMine(value))
  for (const [filter, value] of asked) {
    const isTaken = Object.hasOwn(filters, filter) && !(page.path === '/timesheet' && String(value).includes(','))
    if (isTaken) continue
    const { flag, texts } = typed.find(({ parameter }) => parameter.name === filter) ?? { flag: filter, texts: [] }
    throw new WrongUse(`The console cannot filter this page by ${flag} '${texts.join()}'. Omit the filter or --web.`)
  }
  return { ...page, query: { ...page.query, ...Object.fromEntries(asked.map(([is, to]) => [filters[is], `${to}`])) } }

  async function pageOfOne(): Promise<Page> {
    const answer = (await tw.request('GET', path, options)) as Answer
    const [, , id = ''] = path.split('/')
    const dayOf = async (moment: string) => dayIn(await zoneOf(), new Date(moment))
    return (await pagesOfOne[name]?.({ id, answer, dayOf })) ?? { path: '' }
  }
}

/** The URL of a page of the server's console. */
export function addressOf({ url }: { url: string }, { path, query = {} }: Page): string {
  const search = new URLSearchParams(query)
  return `${rootOf(url)}/console${path}${search.size > 0 ? `?${search}` : ''}`
}
