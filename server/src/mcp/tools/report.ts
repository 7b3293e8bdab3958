import { z } from 'zod'
import { keysOfTasks } from '../calls/events.ts'
import { memberFilter, type Page, projectNamed, tagNamed } from '../calls/names.ts'
import { joinLines, oneLine } from '../calls/text.ts'
import { clockOf, formatDuration, parseDateTime } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

const ofTime = ['project', 'member', 'task', 'type', 'tag', 'billable', 'day', 'week', 'month'] as const
const ofTasks = [
  'project',
  'stage',
  'stageCategory',
  'assignee',
  'type',
  'tag',
  'priority',
  'completedWeek',
  'dueWeek',
] as const
const mostRows = 60

/** Sums time, or counts tasks. */
export const report = tool('report', {
  description: `Total time, or count tasks, by up to 3 groupings. Time by ${ofTime.join(', ')}; tasks by ${ofTasks.join(', ')}.`,
  input: {
    of: z.enum(['time', 'tasks']),
    groupBy: z.array(z.string()).min(1).max(3),
    since: z.string().optional().describe('time, day, monday, 24h, -7d'),
    before: z.string().optional(),
    project: z.string().optional(),
    member: z.string().optional().describe('for tasks: assignee'),
    tag: z.string().optional(),
    billable: z.boolean().optional(),
  },
  async run(call, { of, groupBy, since, before, project, member, tag, billable }) {
    // models also send several names in one text
    const groups = groupBy.flatMap((names) => names.split(',')).map((name) => name.trim())
    const clock = await clockOf(call)
    const [memberId, within, label] = await Promise.all([
      memberFilter(call, member),
      project === undefined ? undefined : projectNamed(call, project),
      tag === undefined ? undefined : tagNamed(call, tag),
    ])
    const shared = { groupBy: groups.join(','), projectId: within?.id, tagId: label?.id }
    const span = {
      startedAfter: since && parseDateTime(clock, 'since', since),
      startedBefore: before && parseDateTime(clock, 'before', before),
    }
    const { data, totals } =
      of === 'time'
        ? await call.get<Report>('/reports/time', { ...shared, ...span, memberId, billable })
        : await call.get<Report>('/reports/tasks', { ...shared, assigneeId: memberId, billable, ...span })
    const sums = of === 'time' ? timeSums : taskSums
    const rows = data.slice(0, mostRows)
    const keys = await keysOfTasks(
      call,
      rows.flatMap(({ group }) => group.task?.id ?? []),
    )
    return joinLines(
      `Total: ${sums(totals)}`,
      ...rows.map((row) => {
        const group = groups.map((name) => {
          const { id, name: shown } = row.group[name] ?? {}
          // several tasks can have one name
          return [id && keys.get(id), oneLine(shown ?? 'none', 80)].filter(Boolean).join(' ')
        })
        return `${group.join(' | ')}: ${sums(row)}`
      }),
      data.length > mostRows && `(${data.length - mostRows} more groups. Use narrower filters or fewer groupings.)`,
    )
  },
})

interface Sums {
  seconds: number
  billableSeconds: number
  entries: number
  open: number
  completed: number
  overdue: number
  trackedSeconds: number
}
interface Report extends Page<Sums & { group: Record<string, { id?: string | null; name: string | null }> }> {
  totals: Sums
}

const timeSums = ({ seconds, billableSeconds }: Sums): string =>
  `${formatDuration(seconds)}${billableSeconds > 0 ? ` (${formatDuration(billableSeconds)} billable)` : ''}`

const taskSums = ({ open, completed, overdue, trackedSeconds }: Sums): string =>
  `${open} open${overdue > 0 ? ` (${overdue} overdue)` : ''}, ${completed} completed, tracked ${formatDuration(trackedSeconds)}`
