import { z } from 'zod'
import type { TimeEntry } from '../../resources/time-entry.ts'
import type { Call } from '../calls/call.ts'
import { memberNamed, tagNamed } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { workedOn } from '../calls/subtasks.ts'
import { beside } from '../calls/text.ts'
import { clockIn, clockOf, dayAt, durationOf, momentIn, secondsOf } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

/** Records time that was worked, or corrects what was recorded. */
export const logTime = tool('log_time', {
  description:
    'Record time on a task or subtask: duration (ended now, or from start), or start and end. A day as start begins at 09:00. With entry (an id of list_time): correct that one.',
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
      workedOn(call, task, subtask),
      tags && Promise.all(tags.map((name) => tagNamed(call, name, 'tags'))),
      member === undefined ? undefined : memberNamed(call, member),
    ])
    const startedAt = start === undefined ? undefined : momentIn(clock, 'start', start, { defaultClock: '09:00' })
    const clockDay = startedAt === undefined ? undefined : dayAt(zone, new Date(startedAt))
    const seconds = duration === undefined ? undefined : secondsOf(duration, 'duration')
    const said = onlySaid({
      ...on?.ids,
      ...{ description: clear ? null : description, billable, tagIds: labels?.map(({ id }) => id) },
      startedAt,
      endedAt: end === undefined ? undefined : momentIn(clock, 'end', end, clockDay === undefined ? {} : { clockDay }),
      durationSeconds: seconds,
    })
    const written = entry === undefined ? await record() : await correct(call, entry.trim(), said)
    return beside(
      `${entry === undefined ? 'Logged' : 'Corrected'} ${durationOf(written.durationSeconds ?? 0)}${on ? ` on ${on.name}` : ''}`,
      `${clockIn(zone, written.startedAt)}–${written.endedAt ? clockIn(zone, written.endedAt).slice(11) : 'running'} (${zone})`,
    )

    function record(): Promise<TimeEntry> {
      if (on === undefined) throw new Refusal('task: Say what the time was worked on.')
      if (seconds === undefined && (start === undefined || end === undefined)) {
        throw new Refusal('duration: Give it, or start and end. To let time run: set_timer.')
      }
      const endsAtMs = end === undefined ? call.now.getTime() : Date.parse(String(said.endedAt))
      if (said.startedAt === undefined && Number.isNaN(endsAtMs))
        throw new Refusal('end: Must be a time such as 2026-01-31T09:30.', 'validation_failed')
      // without a start it is the time until now, or until the end
      const begun = startedAt ?? new Date(endsAtMs - (seconds ?? 0) * 1_000).toISOString()
      const { endedAt, ...rest } = said
      const body = {
        ...rest,
        ...(seconds === undefined ? { endedAt } : {}),
        startedAt: begun,
        ...(whose ? { memberId: whose.id } : {}),
      }
      return call.post<TimeEntry>('/time-entries', body, { about: 'what the time names' })
    }
  },
})

async function correct(call: Call, id: string, body: object): Promise<TimeEntry> {
  const { version } = await call.get<TimeEntry>(`/time-entries/${id}`, { fields: 'version' }, `the entry ${id}`)
  const [written] = await call.all<TimeEntry>([{ method: 'PATCH', path: `/time-entries/${id}`, body }], {
    about: `the entry ${id}`,
    found: version,
  })
  if (written === undefined) throw new Error('An edit has a result')
  return written
}

const onlySaid = <Body extends object>(body: Body): Partial<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<Body>
