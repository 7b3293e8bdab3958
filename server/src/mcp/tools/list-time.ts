import { z } from 'zod'
import type { BriefTask } from '../../resources/task.ts'
import { memberFilter, type Page, projectNamed } from '../calls/names.ts'
import { below } from '../calls/text.ts'
import { entryLine, type TimedEntry } from '../calls/time-lines.ts'
import { pastMomentIn } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'
import { zoneOf } from '../calls/zone.ts'

/** Time as it was recorded. */
export const listTime = tool('list_time', {
  description: 'List time entries, latest first, with their ids; the one that runs is the timer. Sums: report.',
  input: {
    member: z.string().default('me').describe('name, me or all'),
    project: z.string().optional(),
    since: z.string().optional().describe('time, or 24h, 7d'),
    before: z.string().optional(),
    running: z.boolean().optional(),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().optional(),
  },
  async run(call, { member, project, since, before, running, limit, cursor }) {
    const zone = await zoneOf(call)
    const [memberId, within] = await Promise.all([
      memberFilter(call, member === 'all' ? undefined : member),
      project === undefined ? undefined : projectNamed(call, project),
    ])
    const { data, pagination } = await call.get<Page<TimedEntry & { task: BriefTask | null }>>('/time-entries', {
      ...{ memberId, projectId: within?.id, running, limit, cursor, include: 'member,task' },
      startedAfter: since && pastMomentIn(zone, since, call.now),
      startedBefore: before && pastMomentIn(zone, before, call.now),
    })
    const next = pagination?.nextCursor
    return below(
      data.length === 0 ? 'No such time.' : `Time (${zone}):`,
      ...data.map(
        (entry) => `${entryLine(entry, zone, entry.task ? `${entry.task.key} ${entry.task.name}` : '')} · ${entry.id}`,
      ),
      next && `More: the same with cursor ${next}`,
    )
  },
})
