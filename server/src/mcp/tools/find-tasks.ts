import { z } from 'zod'
import type { Hit } from '../../resources/search/hit.ts'
import { priorities } from '../../resources/task.ts'
import type { Call, QueryValues } from '../calls/call.ts'
import { forLines, type LineTask, taskLine } from '../calls/lines.ts'
import { boardsOf, memberFilter, type Page, projectNamed, stagesNamed, tagNamed, typeNamed } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { joinLines, oneLine } from '../calls/text.ts'
import { clockOf, parseDateTime, parseDay } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

const statuses = ['open', 'todo', 'doing', 'done', 'all'] as const
const orders = {
  newest: '-createdAt',
  oldest: 'createdAt',
  updated: '-updatedAt',
  due: 'dueDate',
  priority: '-priority',
} as const

const input = {
  query: z.string().optional().describe('words, "a phrase", -excluded'),
  project: z.string().optional(),
  assignee: z.string().optional().describe('member, me or none'),
  status: z.enum(statuses).default('open'),
  stage: z.string().optional().describe('requires project'),
  tag: z.string().optional(),
  type: z.string().optional(),
  priority: z.enum(priorities).optional(),
  dueBefore: z.string().optional().describe('day, today, friday, +7d'),
  dueAfter: z.string().optional(),
  updatedSince: z.string().optional().describe('time, day, monday, 24h'),
  sort: z.enum(Object.keys(orders) as (keyof typeof orders)[]).optional(),
  limit: z.int().min(1).max(50).default(20),
  cursor: z.string().optional(),
}

/** Finds tasks by words and filters. */
export const findTasks = tool('find_tasks', {
  description: 'Find tasks by words and filters. Returns open tasks unless you set status. One line per task.',
  input,
  async run(call, asked) {
    const { query, status, sort, limit, cursor } = asked
    const filters = await filtersOf(call, asked)
    const { data, pagination } = await call.get<Page<LineTask>>('/tasks', {
      ...{ ...forLines, ...filters, q: query, limit, cursor },
      sort: sort ? orders[sort] : undefined,
    })
    const next = pagination?.nextCursor
    const what = status === 'open' ? 'open task' : 'task'
    return joinLines(
      data.length === 0 &&
        `No ${cursor ? 'more' : 'matching'} ${what}s.${status === 'open' ? ' Set status to all to include completed tasks.' : ''}`,
      ...data.map(taskLine),
      next && `More results: repeat the call with cursor ${next}`,
      query && !cursor && (await mentions(call, query, filters.projectId)),
    )
  },
})

type FindArguments = z.output<z.ZodObject<typeof input>>

async function filtersOf(call: Call, asked: FindArguments): Promise<QueryValues & { projectId?: string | undefined }> {
  const { status, updatedSince, dueBefore: before, dueAfter: after } = asked
  const [project, assigneeId, tag, type, updatedAfter, dueBefore, dueAfter] = await Promise.all([
    asked.project === undefined ? undefined : projectNamed(call, asked.project),
    memberFilter(call, asked.assignee, 'assignee'),
    asked.tag === undefined ? undefined : tagNamed(call, asked.tag),
    asked.type === undefined ? undefined : typeNamed(call, asked.type),
    updatedSince === undefined
      ? undefined
      : clockOf(call).then((clock) => parseDateTime(clock, 'updatedSince', updatedSince)),
    before === undefined ? undefined : clockOf(call).then((clock) => parseDay(clock, 'dueBefore', before)),
    after === undefined ? undefined : clockOf(call).then((clock) => parseDay(clock, 'dueAfter', after)),
  ])
  return {
    ...{ projectId: project?.id, assigneeId, tagId: tag?.id, typeId: type?.id, updatedAfter },
    stageId: asked.stage === undefined ? undefined : await stageIds(call, asked.stage, project?.id),
    completed: status === 'open' ? false : status === 'done' ? true : undefined,
    stageCategory: status === 'todo' || status === 'doing' ? status : undefined,
    ...{ priority: asked.priority, dueBefore, dueAfter },
  }
}

async function stageIds(call: Call, written: string, projectId: string | undefined): Promise<string[]> {
  if (projectId === undefined) throw new Refusal('stage: Also give the project.')
  const boards = await boardsOf(call, projectId)
  const stages = await stagesNamed(call, written, boards)
  if (stages.length > 0) return stages.map(({ id }) => id)
  throw new Refusal(
    'stage: The boards of this project have no such stage. Call list_projects with the project to see its stages.',
  )
}

/** Searches subtasks and comments for words that no task itself contains. */
async function mentions(call: Call, q: string, projectId: string | undefined): Promise<string | undefined> {
  const found = await call
    .get<{ groups: { hits: Hit[] }[] }>('/search', { q, kinds: 'subtask,comment', limit: 3, projectId })
    .catch((error: unknown) => {
      // /search refuses a query of excluded words only; the list of tasks accepts it
      if (error instanceof Refusal) return { groups: [] }
      throw error
    })
  const lines = found.groups.flatMap(({ hits }) =>
    hits.map(({ kind, task, snippet }) => `${task?.key} (${kind}): ${oneLine(snippet.text, 120)}`),
  )
  return lines.length === 0 ? undefined : joinLines('Also mentioned in:', ...lines)
}
