import { z } from 'zod'
import type { Subtask } from '../../resources/subtask.ts'
import type { BriefTask } from '../../resources/task.ts'
import type { TimeEntry } from '../../resources/time-entry.ts'
import { onlySaid } from '../calls/arguments.ts'
import type { Call } from '../calls/call.ts'
import { entryLine, type TimedEntry } from '../calls/lines.ts'
import { memberFilter, memberNamed, type Page, projectNamed, tagNamed } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { joinLines, joinWithDots } from '../calls/text.ts'
import { clockOf, dayAt, formatDateTime, formatDuration, parseDateTime, parseDuration } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'
import { timeTargetOf } from './task-parts.ts'

/** Lists time entries. */
export const listTime = tool('list_time', {
  description:
    'List time entries with their ids, newest first by default. The running one is the timer. For totals use report.',
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
        startedAfter: since && parseDateTime(clock, 'since', since),
        startedBefore: before && parseDateTime(clock, 'before', before),
      },
    )
    const next = pagination?.nextCursor
    return joinLines(
      data.length === 0 ? 'No matching time entries.' : `Time (${zone}):`,
      ...data.map((entry) => `${entryLine(entry, zone, workOf(entry))} · ${entry.id}`),
      next && `More results: repeat the call with cursor ${next}`,
    )
  },
})

/** `WEB-12 Fix the login`, and the subtask if the entry has one. */
const workOf = ({ task, subtask }: { task: BriefTask | null; subtask: Subtask | null }): string =>
  [task && `${task.key} ${task.name}`, subtask?.name].filter(Boolean).join(', ')

/** Creates a time entry, or corrects one. */
export const logTime = tool('log_time', {
  description:
    'Log time on a task or subtask. Give duration (ends now, or begins at start), or start and end. A day as start means 09:00. With entry (an id from list_time): correct that entry.',
  input: {
    task: z.string().optional(),
    subtask: z.string().optional(),
    duration: z.string().optional().describe('1h 30m'),
    start: z.string().optional().describe('time, yesterday 14:00, 09:30'),
    end: z.string().optional(),
    description: z.string().optional(),
    billable: z.boolean().optional(),
    tags: z.array(z.string()).max(50).optional(),
    member: z.string().optional(),
    entry: z.string().optional(),
    clear: z
      .array(z.enum(['description']))
      .max(1)
      .optional(),
  },
  writes: ['POST /time-entries', 'POST /bulk', 'PATCH /time-entries/{id}'],
  async run(call, { task, subtask, duration, start, end, tags, member, entry, clear, description, billable }) {
    const clock = await clockOf(call)
    const { zone } = clock
    const [on, labels, whose] = await Promise.all([
      timeTargetOf(call, task, subtask),
      tags && Promise.all(tags.map((name) => tagNamed(call, name, 'tags'))),
      member === undefined ? undefined : memberNamed(call, member),
    ])
    const startedAt = start === undefined ? undefined : parseDateTime(clock, 'start', start, { defaultClock: '09:00' })
    const clockDay = startedAt === undefined ? undefined : dayAt(zone, new Date(startedAt))
    const seconds = duration === undefined ? undefined : parseDuration(duration, 'duration')
    const said = onlySaid({
      ...on?.ids,
      ...{ description: clear ? null : description, billable, tagIds: labels?.map(({ id }) => id) },
      startedAt,
      endedAt:
        end === undefined ? undefined : parseDateTime(clock, 'end', end, clockDay === undefined ? {} : { clockDay }),
      durationSeconds: seconds,
    })
    const written = entry === undefined ? await record() : await correct(call, entry.trim(), said)
    return joinWithDots(
      `${entry === undefined ? 'Logged' : 'Corrected'} ${formatDuration(written.durationSeconds ?? 0)}${on ? ` on ${on.name}` : ''}`,
      `${formatDateTime(zone, written.startedAt)}–${written.endedAt ? formatDateTime(zone, written.endedAt).slice(11) : 'running'} (${zone})`,
    )

    function record(): Promise<TimeEntry> {
      if (on === undefined) throw new Refusal('task: Give the task of the time entry.')
      if (seconds === undefined && (start === undefined || end === undefined)) {
        throw new Refusal('duration: Give a duration, or start and end. To start a timer, use set_timer.')
      }
      const endsAtMs = end === undefined ? call.now.getTime() : Date.parse(String(said.endedAt))
      if (said.startedAt === undefined && Number.isNaN(endsAtMs))
        throw new Refusal('end: Must be a time such as 2026-01-31T09:30.', 'validation_failed')
      // without a start, the duration ends now, or at `end`
      const begun = startedAt ?? new Date(endsAtMs - (seconds ?? 0) * 1_000).toISOString()
      const { endedAt, ...rest } = said
      const body = {
        ...rest,
        ...(seconds === undefined ? { endedAt } : {}),
        startedAt: begun,
        ...(whose ? { memberId: whose.id } : {}),
      }
      return call.post<TimeEntry>('/time-entries', body, { about: 'a resource that the time entry refers to' })
    }
  },
})

async function correct(call: Call, id: string, body: object): Promise<TimeEntry> {
  const { version } = await call.get<TimeEntry>(`/time-entries/${id}`, { fields: 'version' }, `the time entry ${id}`)
  const [written] = await call.all<TimeEntry>([{ method: 'PATCH', path: `/time-entries/${id}`, body }], {
    about: `the time entry ${id}`,
    found: version,
  })
  if (written === undefined) throw new Error('An edit has a result')
  return written
}

/** Starts or stops the timer of the caller. */
export const setTimer = tool('set_timer', {
  description:
    'Start your timer on a task or subtask, or stop it now or at end. If a timer already runs, the organization setting decides: it is stopped, or the start is refused.',
  input: {
    action: z.enum(['start', 'stop']),
    end: z.string().optional().describe('only for stop: 17:30, 10m ago'),
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
      const endedAt = end === undefined ? undefined : parseDateTime(clock, 'end', end)
      const stopped = await call.post<TimeEntry>('/timer/stop', { endedAt }, { about: 'your timer', found })
      return `Stopped after ${formatDuration(stopped.durationSeconds ?? 0)}, since ${formatDateTime(zone, stopped.startedAt)} (${zone}).`
    }
    if (end !== undefined) throw new Refusal('end: Give it only with action stop.')
    const on = await timeTargetOf(call, task, subtask)
    if (on === undefined) throw new Refusal('task: Give the task of the timer.')
    const runsOnIt = latest?.endedAt === null && isOn(latest, on.ids)
    if (runsOnIt)
      return `The timer already runs on ${on.name}, since ${formatDateTime(zone, latest.startedAt)} (${zone}).`
    const tagIds = tags && (await Promise.all(tags.map((name) => tagNamed(call, name, 'tags')))).map(({ id }) => id)
    const body = { ...on.ids, ...onlySaid({ description, billable, tagIds }) }
    const entry = await call.post<TimeEntry>('/timer/start', body, {
      about: 'a resource that the timer refers to',
      found,
    })
    const before = latest?.endedAt === null && 'the previous timer was stopped'
    return joinWithDots(`Started on ${on.name} at ${formatDateTime(zone, entry.startedAt)} (${zone})`, before)
  },
})

/** The running timer, or else the caller's entry that changed last. It tells a repeated call from a new one. */
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
    ? `You have no running timer. Your entry that changed last ended ${formatDateTime(zone, latest.endedAt)} (${zone}).`
    : 'You have no running timer.'
