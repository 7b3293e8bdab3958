import { randomUUID } from 'node:crypto'
import { at } from '../server/src/for-tools.ts'
import type { Sent } from './generators/volley.ts'
import type { Caller, Data } from './load/data.ts'

const get = (caller: Caller, path: string): Sent => ({
  method: 'GET',
  path: `/api/v1${path}`,
  headers: { Authorization: `Bearer ${caller.key}` },
})

/** A page of 50 tasks. */
export const page = (caller: Caller, filters: Record<string, string | string[]> = {}): Sent[] => {
  const query = new URLSearchParams({ limit: '50' })
  for (const [name, values] of Object.entries(filters)) for (const value of [values].flat()) query.append(name, value)
  return [get(caller, `/tasks?${query}`)]
}

/** The page behind a task, as the bare floor is asked for it. */
export const pageBefore = (caller: Caller, id: string): Sent => get(caller, `/tasks?before=${id}`)

/** The last 50 time entries. */
export const entriesOf = (caller: Caller): Sent[] => [get(caller, '/time-entries?limit=50')]

/** Whatever is found by these words. */
export const searchOf = (caller: Caller, words: string): Sent[] => [
  get(caller, `/search?${new URLSearchParams({ q: words })}`),
]

/** The same, of a client that accepts this encoding. */
export const accepting = (encoding: string, requests: readonly Sent[]): Sent[] =>
  requests.map((sent) => ({ ...sent, headers: { ...sent.headers, 'Accept-Encoding': encoding } }))

/** The open tasks of somebody, what is due first before the others. */
export const workOf = (caller: Caller, assigneeId: string): Sent[] => [
  get(caller, `/tasks?assigneeId=${assigneeId}&completed=false&sort=dueDate`),
]

/** A week of somebody's time, with the names of what it was for. */
export const weekOf = (caller: Caller, memberId: string, endsAt: string): Sent[] => {
  const startedAfter = new Date(Date.parse(endsAt) - 7 * 86_400_000).toISOString()
  const query = new URLSearchParams({ memberId, startedAfter, startedBefore: endsAt, limit: '100' })
  return [get(caller, `/time-entries?${query}&include=task,subtask,project,member,tags`)]
}

/** How far 50 projects are. */
export const progressPage = (caller: Caller): Sent[] => [get(caller, '/projects?limit=50&include=progress')]

/** A board with the first 50 tasks of each stage. */
export const boardOf = (caller: Caller, workspaceId: string): Sent[] => [
  get(caller, `/workspaces/${workspaceId}/board?perStage=50`),
]

/** One task, another one each time. */
export const oneOf = (caller: Caller, taskIds: readonly string[]): Sent[] =>
  taskIds.map((id) => get(caller, `/tasks/${id}`))

/** A page of 50 of 10,000 tags, from the middle. */
export const tagPage = ({ tagged }: Data): Sent[] => [get(tagged.owner, '/tags?limit=50&offset=5000')]

/** A page of events, from another place of the log each time. */
export const eventPage = (caller: Caller, log: { oldest: number; latest: number; inPage: number }): Sent[] => {
  const { oldest, latest, inPage } = log
  const places = Array.from({ length: 20 }, (_, n) => oldest - 1 + Math.floor((n * (latest - oldest - inPage)) / 20))
  return places.map((after) => get(caller, `/events?limit=${inPage}&after=${Math.max(after, oldest - 1)}`))
}

/** A time entry, on another task each time, under a key that was never used. */
export const newEntry = ({ writing }: Data): Sent[] => writing.taskIds.map((taskId) => entryOn(writing.owner, taskId))

/** The same in the ordinary organization. */
export const ordinaryEntry = ({ ordinary }: Data): Sent[] =>
  ordinary.taskIds.map((taskId) => entryOn(ordinary.owner, taskId))

/** Time entries that exist already when they are sent for the second time. */
export const sameEntry = ({ writing }: Data): Sent[] =>
  writing.taskIds.slice(0, 100).map((taskId) => entryOn(writing.owner, taskId, randomUUID()))

function entryOn({ key }: Caller, taskId: string, idempotencyKey = '{unique}'): Sent {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }
  const entry = { taskId, startedAt: '2026-01-31T08:00:00.000Z', durationSeconds: 5_400 }
  const body = JSON.stringify({ ...entry, description: 'Some words on what was done', billable: true })
  return { method: 'POST', path: '/api/v1/time-entries', headers: { Authorization: `Bearer ${key}`, ...headers }, body }
}

/** What people do: pages, some of them filtered, single tasks, lists of tags, and new time entries. */
export function mixture(data: Data): Sent[] {
  const { big, ordinary } = data
  const { owner, all, twenty, one } = big.callers
  const pages = [
    ...[owner, all, twenty, one, ordinary.owner].flatMap((caller) => page(caller)),
    ...page(owner, { projectId: big.filters.projectId }),
    ...page(owner, { tagId: big.filters.commonTagId }),
    ...tagPage(data),
  ]
  const singles = [...oneOf(owner, big.taskIds), ...oneOf(ordinary.owner, ordinary.taskIds)]
  const kinds = [pages, singles, singles, newEntry(data)]
  return Array.from({ length: 1_000 }, (_, place) => {
    const kind = at(kinds, place % kinds.length)
    return at(kind, Math.floor(place / kinds.length) % kind.length)
  })
}
