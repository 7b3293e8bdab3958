import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { lockMember } from '../../access/locks.ts'
import { refused } from '../../contract/errors.ts'
import { expected } from '../../db/expected.ts'
import { route } from '../../operations/route.ts'
import { rooms } from '../room.ts'
import { refuseIfFinalized } from '../subtasks/rules.ts'
import { tag } from '../tags/tags.ts'
import { stop } from './ending.ts'
import { readPolicies } from './policies.ts'
import { record, running } from './recording.ts'
import { exactlyOneParent, exactlyOneParentSchema } from './rules.ts'
import { parents } from './time-entries.ts'
import { TimeEntry, timeConstraints } from './time-entry.ts'

const { taskId, subtaskId, description, billable, tagIds } = TimeEntry.shape
const Start = z
  .strictObject({ taskId, subtaskId, description, billable, tagIds })
  .partial()
  .refine(...exactlyOneParent)
  .meta(exactlyOneParentSchema)

export const timer = [
  route('GET /timer', {
    summary: 'Read your timer: the time entry of yours that is running',
    roles: everyone,
    returns: z
      .strictObject({ timeEntry: TimeEntry.nullable() })
      .meta({ id: 'Timer', description: 'The time entry that is running, or null.' }),
    async handle({ db, caller }) {
      return { timeEntry: (await running({ db, caller }, caller.memberId, 'none')) ?? null }
    },
  }),

  route('POST /timer/start', {
    summary: 'Start your timer on a task or a subtask',
    description:
      'What happens to one that runs is settled by the timerPolicy of the organization. ' +
      `A task has ${rooms.timeOnTask.most} entries at most, with those on its subtasks.`,
    roles: everyone,
    body: Start,
    references: { ...parents, tagIds: { to: tag } },
    reads: readPolicies,
    returns: TimeEntry,
    created: ({ id }) => `/time-entries/${id}`,
    constraints: timeConstraints,
    handle({ db, caller, body, references, read, emit, now }) {
      const [parent] = [...references.taskId, ...references.subtaskId].map(({ item }) => item)
      const on = expected(parent, 'What time is recorded on')
      if ('finalizedAt' in on) refuseIfFinalized(on)
      const entry = { ...body, memberId: caller.memberId, startedAt: now, endedAt: null }
      return record({ db, caller, emit, now }, read, on, entry)
    },
  }),

  route('POST /timer/stop', {
    summary: 'Stop your timer',
    description: 'Also one in a project that you are no longer in.',
    roles: everyone,
    returns: TimeEntry,
    refuses: [412],
    async handle({ db, caller, emit, now }) {
      const { orgId, memberId } = caller
      const [, entry] = await Promise.all([lockMember(db, orgId, memberId), running({ db, caller }, memberId)])
      if (entry === undefined) throw refused('No timer of yours is running', 'no_timer')
      return stop({ db, caller, emit, now }, entry, now)
    },
  }),
]
