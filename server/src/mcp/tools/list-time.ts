import { z } from 'zod'
import type { Subtask } from '../../resources/subtask.ts'
import type { BriefTask } from '../../resources/task.ts'
import { entryLine, type TimedEntry } from '../calls/lines.ts'
import { memberFilter, type Page, projectNamed } from '../calls/names.ts'
import { below } from '../calls/text.ts'
import { clockOf, momentIn } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

/** Time as it was recorded. */
export const listTime = tool('list_time', {
  description:
    'List time entries, latest first unless order says otherwise, with their ids; the one that runs is the timer. Sums: report.',
  input: {
    member: z.string().default('me').describe('name, me or all'),
    project: z.string().optional(),
    since: z.string().optional().describe('time, day, monday, 24h, -7d'),
    before: z.string().optional(),
    running: z.boolean().optional(),
    order: z.enum(['newest', 'oldest']).default('newest'),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().optional(),
  },
  async run(call, { member, project, since, before, running, order, limit, cursor }) {
    const clock = await clockOf(call)
    const { zone } = clock
    const [memberId, within] = await Promise.all([
      memberFilter(call, member === 'all' ? undefined : member),
      project === undefined ? undefined : projectNamed(call, project),
    ])
    const { data, pagination } = await call.get<Page<TimedEntry & { task: BriefTask | null; subtask: Subtask | null }>>(
      '/time-entries',
      {
        ...{ memberId, projectId: within?.id, running, limit, cursor, include: 'member,task,subtask' },
        sort: order === 'oldest' ? 'startedAt' : undefined,
        startedAfter: since && momentIn(clock, 'since', since),
        startedBefore: before && momentIn(clock, 'before', before),
      },
    )
    const next = pagination?.nextCursor
    return below(
      data.length === 0 ? 'No such time.' : `Time (${zone}):`,
      ...data.map((entry) => `${entryLine(entry, zone, workOf(entry))} · ${entry.id}`),
      next && `More: the same with cursor ${next}`,
    )
  },
})

/** `WEB-12 Fix the login`, and the subtask where the time is on one. */
const workOf = ({ task, subtask }: { task: BriefTask | null; subtask: Subtask | null }): string =>
  [task && `${task.key} ${task.name}`, subtask?.name].filter(Boolean).join(', ')
