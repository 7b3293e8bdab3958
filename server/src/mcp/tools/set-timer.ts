import { z } from 'zod'
import type { TimeEntry } from '../../resources/time-entry.ts'
import type { Call } from '../calls/call.ts'
import { type Page, tagNamed } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { workedOn } from '../calls/subtasks.ts'
import { beside } from '../calls/text.ts'
import { clockIn, clockOf, durationOf, momentIn } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

/** Starts the timer of the caller, or stops it. */
export const setTimer = tool('set_timer', {
  description:
    'Start your timer on a task or subtask (one that runs is stopped, or refuses, as the organization says), or stop it: now, or at end.',
  input: {
    action: z.enum(['start', 'stop']),
    end: z.string().optional().describe('of stop: 17:30, 10m ago'),
    task: z.string().optional(),
    subtask: z.string().optional(),
    description: z.string().optional(),
    billable: z.boolean().optional(),
    tags: z.array(z.string()).max(50).optional(),
  },
  writes: ['POST /timer/start', 'POST /timer/stop'],
  async run(call, { action, end, task, subtask, tags, description, billable }) {
    const [clock, latest] = await Promise.all([clockOf(call), latestOf(call)])
    const { zone } = clock
    const found = latest && [latest.id, latest.version]
    if (action === 'stop') {
      if (latest === undefined || latest.endedAt !== null) return nothingRuns(latest, zone)
      const endedAt = end === undefined ? undefined : momentIn(clock, 'end', end)
      const stopped = await call.post<TimeEntry>('/timer/stop', { endedAt }, { about: 'your timer', found })
      return `Stopped after ${durationOf(stopped.durationSeconds ?? 0)}, since ${clockIn(zone, stopped.startedAt)} (${zone}).`
    }
    if (end !== undefined) throw new Refusal('end: Only action stop takes it.')
    const on = await workedOn(call, task, subtask)
    if (on === undefined) throw new Refusal('task: Say what the timer is for.')
    const runsOnIt = latest?.endedAt === null && isOn(latest, on.ids)
    if (runsOnIt) return `The timer runs on ${on.name} already, since ${clockIn(zone, latest.startedAt)} (${zone}).`
    const tagIds = tags && (await Promise.all(tags.map((name) => tagNamed(call, name, 'tags')))).map(({ id }) => id)
    const said = Object.entries({ description, billable, tagIds }).filter(([, value]) => value !== undefined)
    const body = { ...on.ids, ...Object.fromEntries(said) }
    const entry = await call.post<TimeEntry>('/timer/start', body, { about: 'what the timer names', found })
    const before = latest?.endedAt === null && 'the one before was stopped'
    return beside(`Started on ${on.name} at ${clockIn(zone, entry.startedAt)} (${zone})`, before)
  },
})

/** The one that runs, else the last that began: by it a repeated call is told from another one. */
async function latestOf(call: Call): Promise<TimeEntry | undefined> {
  const { timeEntry } = await call.get<{ timeEntry: TimeEntry | null }>('/timer', {})
  if (timeEntry) return timeEntry
  const { data } = await call.get<Page<TimeEntry>>('/time-entries', { memberId: 'me', sort: '-updatedAt', limit: 1 })
  return data[0]
}

const isOn = (entry: TimeEntry, ids: { taskId?: string; subtaskId?: string }): boolean =>
  entry.taskId === (ids.taskId ?? null) && entry.subtaskId === (ids.subtaskId ?? null)

const nothingRuns = (latest: TimeEntry | undefined, zone: string): string =>
  latest?.endedAt
    ? `No timer of yours runs. The latest of your time ended ${clockIn(zone, latest.endedAt)} (${zone}).`
    : 'No timer of yours runs.'
