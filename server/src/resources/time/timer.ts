import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { lockMember } from '../../access/locks.ts'
import { refused } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { expected } from '../../db/expected.ts'
import { route } from '../../operations/route.ts'
import { limits } from '../limits.ts'
import { refuseIfFinalized } from '../subtask.ts'
import { tag } from '../tags/tags.ts'
import { TimeEntry, timeConstraints } from '../time-entry.ts'
import { besideTime } from './include.ts'
import { readPolicies } from './policies.ts'
import { recordTime, running, type TimeParent } from './record-time.ts'
import { endOf, refuseIfFuture } from './rules.ts'
import { onOneParent, parents } from './time-entries.ts'
import { stopEntry } from './time-writes.ts'

const { taskId, subtaskId, description, billable, tagIds } = TimeEntry.shape
const Stop = z
  .strictObject({
    endedAt: Moment.optional().meta({ description: 'Default: now. It cannot be before the start or in the future.' }),
  })
  .meta({ examples: [{}] })
const Start = onOneParent(z.strictObject({ taskId, subtaskId, description, billable, tagIds }).partial())

export const timer = [
  route('GET /timer', {
    name: 'timer.get',
    summary: 'Get your timer',
    description: 'Your timer is your running time entry.',
    roles: everyone,
    query: z.strictObject({ include: besideTime.include }),
    returns: z
      .strictObject({ timeEntry: besideTime.Full.nullable() })
      .meta({ id: 'Timer', description: 'Your running time entry. Null if you have none.' }),
    async handle(asked) {
      const entry = await running(asked, asked.caller.memberId, 'none')
      const full = entry && (await besideTime.inItem(asked, entry))
      return full instanceof Prerendered ? new Prerendered(`{"timeEntry":${full.text}}`) : { timeEntry: full ?? null }
    },
  }),

  route('POST /timer/start', {
    name: 'timer.start',
    summary: 'Start your timer',
    description:
      'Creates a running time entry on a task or a subtask. If your timer is already running, the `timerPolicy` of the ' +
      'organization decides: the server stops it, or refuses the request. ' +
      `A task can have at most ${limits.timeOnTask.most} time entries, including those on its subtasks.`,
    roles: everyone,
    body: Start,
    references: { ...parents, tagIds: { to: tag } },
    preload: readPolicies,
    returns: TimeEntry,
    created: ({ id }) => `/time-entries/${id}`,
    constraints: timeConstraints,
    emits: ['time_entry.updated', 'time_entry.created'],
    handle({ db, caller, body, references, preloaded, emit, now }) {
      const [parent]: TimeParent[] = [...references.taskId, ...references.subtaskId].map(({ item }) => item)
      const on = expected(parent, 'The task or subtask of the time')
      refuseIfFinalized(on)
      const entry = { ...body, memberId: caller.memberId, startedAt: now, endedAt: null }
      return recordTime({ db, caller, emit, now }, preloaded, on, entry)
    },
  }),

  route('POST /timer/stop', {
    name: 'timer.stop',
    summary: 'Stop your timer',
    description:
      'You can also stop a timer in a project that you no longer belong to. If time entries must not overlap, your timer ' +
      'cannot end after the start of a later time entry. The response is then 412: send an earlier `endedAt`.',
    roles: everyone,
    body: Stop,
    returns: TimeEntry,
    refuses: [412],
    constraints: timeConstraints,
    emits: ['time_entry.updated'],
    async handle({ db, caller, body: { endedAt }, emit, now }) {
      if (endedAt) refuseIfFuture('endedAt', endedAt, now)
      const { orgId, memberId } = caller
      const [, entry] = await Promise.all([lockMember(db, orgId, memberId), running({ db, caller }, memberId)])
      if (entry === undefined) throw refused('You have no running timer', 'no_timer')
      return stopEntry({ db, caller, emit, now }, entry, endOf(entry.startedAt, { endedAt }) ?? now)
    },
  }),
]
