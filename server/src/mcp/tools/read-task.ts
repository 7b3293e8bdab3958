import { z } from 'zod'
import type { Stage } from '../../resources/board/stage.ts'
import type { Comment } from '../../resources/comment.ts'
import type { Member, NamedMember } from '../../resources/member.ts'
import type { Project } from '../../resources/project.ts'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { changeLines, readEvents, subjectsOf } from '../calls/events.ts'
import { entryLine, namesOf, type TimedEntry } from '../calls/lines.ts'
import { type Page, taskKeys } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { joinLines, joinWithDots, oneLine, paged, quoted } from '../calls/text.ts'
import { clockOf, formatDateTime, formatDuration } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

const parts = ['description', 'comments', 'time', 'history'] as const
const onPage = 20
const mostTasks = 5

/** Reads tasks with their subtasks, comments and time. */
export const readTask = tool('read_task', {
  description:
    'Read one or more tasks: fields, description, subtasks, latest comments, tracked time. With part: that part in full, by page.',
  input: {
    task: z.array(z.string()).min(1).describe('WEB-12, or up to 5 keys'),
    part: z.enum(parts).optional(),
    page: z.int().min(1).max(500).default(1),
  },
  async run(call, { task, part, page }) {
    const [key, ...others] = taskKeys(task, mostTasks)
    if (part !== undefined && others.length > 0) throw new Refusal('part: Give only one task with it.')
    const { zone } = await clockOf(call)
    if (part === undefined) {
      const overviews = await Promise.all([key, ...others].map((one) => overview(call, one, zone)))
      return overviews.join('\n\n')
    }
    return partsOfTask[part](call, { key, zone, offset: (page - 1) * onPage, page })
  },
})

type FullTask = Task & {
  assignees: Member[]
  tags: { name: string }[]
  subtasks: Subtask[]
  moreSubtasks?: boolean
  trackedSeconds: number
  project: Project
  workspace: { name: string } | null
  stage: Stage | null
  type: { name: string } | null
  creator: NamedMember
  comments: AuthoredComment[]
  moreComments?: boolean
  subtaskAssignees: Member[]
}
type AuthoredComment = Comment & { author: NamedMember }

const besides = 'assignees,tags,subtasks,trackedSeconds,project,workspace,stage,type,creator,comments,subtaskAssignees'
const mostComments = 5

async function overview(call: Call, key: string, zone: string): Promise<string> {
  const task = await call.get<FullTask>(`/tasks/${key}`, { include: besides }, `the task ${key}`)
  const { stage, workspace, type, priority, estimateSeconds, trackedSeconds, description, comments } = task
  const shown = comments.slice(0, mostComments).toReversed()
  return joinLines(
    `${task.key} ${oneLine(task.name, 255)} (version ${task.version})`,
    joinWithDots(
      `project ${task.project.key} ${oneLine(task.project.name, 60)}`,
      task.project.status === 'archived' && 'archived',
      workspace && stage ? `board ${oneLine(workspace.name, 60)}, stage ${oneLine(stage.name, 60)}` : 'no board',
      task.completedAt && `completed ${formatDateTime(zone, task.completedAt)}`,
    ),
    joinWithDots(
      task.assignees.length > 0 ? `assigned to ${namesOf(task.assignees)}` : 'not assigned',
      type && `type ${oneLine(type.name, 60)}`,
      priority !== 'none' && `priority ${priority}`,
      task.tags.length > 0 && `tags ${namesOf(task.tags)}`,
      task.startDate && `starts ${task.startDate}`,
      task.dueDate && `due ${task.dueDate}`,
    ),
    joinWithDots(
      estimateSeconds !== null && `estimate ${formatDuration(estimateSeconds)}`,
      `tracked ${formatDuration(trackedSeconds)}`,
      `created ${formatDateTime(zone, task.createdAt)} by ${oneLine(task.creator.name, 60)}`,
      `updated ${formatDateTime(zone, task.updatedAt)} (${zone})`,
    ),
    description && joinLines('Description:', quoted(description, 3_000, 'set part to description to read all')),
    task.subtasks.length > 0 && subtaskLines(task),
    shown.length > 0 && 'Comments:',
    ...shown.map((comment) => commentOf(comment, zone, 600)),
    (task.moreComments || comments.length > mostComments) && '(To read older comments, set part to comments.)',
  )
}

function subtaskLines({ subtasks, moreSubtasks, subtaskAssignees }: FullTask): string {
  const names = new Map(subtaskAssignees.map(({ id, name }) => [id, name]))
  const done = subtasks.filter(({ finalizedAt }) => finalizedAt !== null).length
  return joinLines(
    `Subtasks (${done} of ${subtasks.length}${moreSubtasks ? ' shown' : ''} finalized):`,
    ...subtasks.map(({ name, finalizedAt, assigneeId }, i) =>
      joinWithDots(
        `${i + 1}. [${finalizedAt === null ? ' ' : 'x'}] ${oneLine(name, 120)}`,
        assigneeId && oneLine(names.get(assigneeId) ?? '', 60),
      ),
    ),
  )
}

const commentOf = ({ author, body, createdAt }: AuthoredComment, zone: string, most: number): string =>
  joinLines(
    `${formatDateTime(zone, createdAt)} ${oneLine(author.name, 60)}:`,
    quoted(body, most, 'set part to comments to read all'),
  )

interface TaskPartRequest {
  key: string
  zone: string
  offset: number
  page: number
}

const partsOfTask: Record<(typeof parts)[number], (call: Call, asked: TaskPartRequest) => Promise<string>> = {
  async description(call, { key, page }) {
    const { description } = await call.get<Task>(`/tasks/${key}`, {}, `the task ${key}`)
    const whole = [...(description ?? '')]
    const from = (page - 1) * mostOfDescription
    const shown = whole.slice(from, from + mostOfDescription).join('')
    const next = whole.length > from + mostOfDescription && `More results: page ${page + 1}`
    return shown === '' ? 'No description.' : joinLines(quoted(shown, shown.length, ''), next)
  },

  async comments(call, { key, zone, offset, page }) {
    const list = await call.get<Page<AuthoredComment>>(
      `/tasks/${key}/comments`,
      { limit: onPage, offset, include: 'author' },
      `the task ${key}`,
    )
    const lines = list.data.map((comment) => commentOf(comment, zone, 1_000))
    return paged(list.total, 'comment', lines, { page, onPage })
  },

  async time(call, { key, zone }) {
    const { id } = await call.get<Task>(`/tasks/${key}`, { fields: 'id' }, `the task ${key}`)
    const { data: entries, pagination } = await call.get<Page<TimedEntry & { subtask: Subtask | null }>>(
      '/time-entries',
      { taskId: id, limit: mostEntries, include: 'member,subtask' },
    )
    return joinLines(
      entries.length === 0 ? 'No time.' : `Time, latest first (${zone}):`,
      ...entries.map((entry) => entryLine(entry, zone, entry.subtask?.name)),
      pagination?.nextCursor && 'There are more entries. Use list_time to read them, or report for totals.',
    )
  },

  async history(call, { key, zone, offset, page }) {
    if (offset > mostHistory) throw new Refusal(`page: To see older changes, use list_changes with task ${key}.`)
    const { id } = await call.get<Task>(`/tasks/${key}`, { fields: 'id' }, `the task ${key}`)
    const query = { taskId: id, sort: '-sequence' }
    const most = offset + onPage
    const { events, cursor } = await readEvents(call, query, { most, pages: 2 + most / 100 })
    const shown = events.slice(offset)
    const lines = await changeLines(call, shown, zone, await subjectsOf(call, shown))
    return joinLines(
      lines.length === 0 ? 'No changes.' : 'Changes, latest first:',
      ...lines,
      cursor && `More results: page ${page + 1}`,
    )
  },
}

const mostHistory = 1_000
const mostOfDescription = 12_000
const mostEntries = 40
