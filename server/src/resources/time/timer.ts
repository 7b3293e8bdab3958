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
    endedAt: Moment.optional().meta({ description: 'Default: now. Not before its start, not in the future.' }),
  })
  .meta({ examples: [{}] })
const Start = onOneParent(z.strictObject({ taskId, subtaskId, description, billable, tagIds }).partial())

export const timer = [
  route('GET /timer', {
    name: 'timer.get',
    summary: 'Read your timer: the time entry of yours that is running',
    roles: everyone,
    query: z.strictObject({ include: besideTime.include }),
    returns: z
      .strictObject({ timeEntry: besideTime.Full.nullable() })
      .meta({ id: 'Timer', description: 'The time entry that is running, or null.' }),
    async handle(asked) {
      const entry = await running(asked, asked.caller.memberId, 'none')
      const full = entry && (await besideTime.inItem(asked, entry))
      return full instanceof Prerendered ? new Prerendered(`{"timeEntry":${full.text}}`) : { timeEntry: full ?? null }
    },
  }),

  route('POST /timer/start', {
    name: 'timer.start',
    summary: 'Start your timer on a task or a subtask',
    description:
      'What happens to one that runs is settled by the timerPolicy of the organization. ' +
      `A task has ${limits.timeOnTask.most} entries at most, with those on its subtasks.`,
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
      const on = expected(parent, 'What time is recorded on')
      refuseIfFinalized(on)
      const entry = { ...body, memberId: caller.memberId, startedAt: now, endedAt: null }
      return recordTime({ db, caller, emit, now }, preloaded, on, entry)
    },
  }),

  route('POST /timer/stop', {
    name: 'timer.stop',
    summary: 'Stop your timer',
    description:
      'Also one in a project that you are no longer in. Where entries may not overlap, one that runs into an entry that was recorded ' +
      'ahead is 412: send an earlier endedAt.',
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
      if (entry === undefined) throw refused('No timer of yours is running', 'no_timer')
      return stopEntry({ db, caller, emit, now }, entry, endOf(entry.startedAt, { endedAt }) ?? now)
    },
  }),
]
