import type pg from 'pg'
import type { Caller } from '../load/data.ts'
import { boardPage, progressPage, week, workPage } from './screen-statements.ts'

export type Row = (string | null)[]

/** What a statement answers, in rows of text. */
interface Answered {
  rows: Row[]
  fields: pg.FieldDef[]
}

/** Asks one of the statements. */
export type Ask = (text: string, values: unknown[]) => Promise<Answered>

type Item = Record<string, unknown>

/** The screens that the floor answers, by their paths below /api/v1; undefined of another path. */
export function screenOf(
  path: string,
  query: URLSearchParams,
): ((caller: Caller, ask: Ask) => Promise<string>) | undefined {
  if (path === '/tasks' && query.has('sort')) return (caller, ask) => workOf(caller, ask, query)
  if (path === '/time-entries') return (caller, ask) => weekOf(caller, ask, query)
  if (path === '/projects') return progressOf
  const workspaceId = /^\/workspaces\/([^/]+)\/board$/.exec(path)?.[1]
  return workspaceId === undefined ? undefined : (caller, ask) => boardOf(caller, ask, workspaceId)
}

/** Rows as objects, of some of their fields. */
export function objects(rows: readonly Row[], fields: readonly pg.FieldDef[], from = 0, to = fields.length): Item[] {
  const names = fields.slice(from, to).map(({ name }) => name)
  return rows.map((row) => {
    const object: Item = {}
    names.forEach((name, place) => {
      object[name] = row[from + place] ?? null
    })
    return object
  })
}

async function workOf({ orgId }: Caller, ask: Ask, query: URLSearchParams): Promise<string> {
  const { rows, fields } = await ask(workPage, [orgId, query.get('assigneeId'), 51])
  const data = objects(rows.slice(0, 50), fields)
  return JSON.stringify({ data, pagination: { nextCursor: rows.length > 50 ? data.at(-1)?.id : null } })
}

async function weekOf({ orgId }: Caller, ask: Ask, query: URLSearchParams): Promise<string> {
  const limit = Number(query.get('limit'))
  const asked = ['memberId', 'startedAfter', 'startedBefore'].map((name) => query.get(name))
  const { rows, fields } = await ask(week, [orgId, ...asked, limit + 1])
  const shown = rows.slice(0, limit)
  const begins = fields.flatMap(({ name }, place) => (name === 'id' ? [place] : []))
  const [entries = [], tasks = [], projects = [], members = []] = begins.map((from, part) =>
    objects(shown, fields, from, begins[part + 1]),
  )
  const data = entries.map((entry, i) => {
    return { ...entry, task: tasks[i], subtask: null, project: projects[i], member: members[i], tags: [] }
  })
  return JSON.stringify({ data, pagination: { nextCursor: rows.length > limit ? entries.at(-1)?.id : null } })
}

async function progressOf({ orgId }: Caller, ask: Ask): Promise<string> {
  const { rows, fields } = await ask(progressPage, [orgId, 50, new Date().toISOString()])
  const behind = fields.findIndex(({ name }) => name === 'updatedAt') + 1
  const progress = objects(rows, fields, behind)
  const data = objects(rows, fields, 1, behind).map((project, i) => ({ ...project, progress: progress[i] }))
  return JSON.stringify({ data, total: Number(rows[0]?.[0]) })
}

async function boardOf({ orgId }: Caller, ask: Ask, workspaceId: string): Promise<string> {
  const { rows, fields } = await ask(boardPage, [orgId, workspaceId, 50])
  const behind = fields.findIndex(({ name }) => name === 'taskCount') + 1
  const tasks = objects(rows, fields, behind)
  const stages = new Map<unknown, Item & { tasks: Item[] }>()
  objects(rows, fields, 0, behind).forEach((stage, i) => {
    const known = stages.get(stage.id) ?? { ...stage, tasks: [], nextCursor: null }
    if (tasks[i]?.id) known.tasks.push(tasks[i])
    stages.set(stage.id, known)
  })
  return JSON.stringify({ workspace: { id: workspaceId }, stages: [...stages.values()] })
}
