import { z } from 'zod'
import { type Caller, everyone, type ProjectRole } from '../../access/caller.ts'
import type { Loaded } from '../../access/loader.ts'
import { visibilityOf } from '../../access/visibility.ts'
import { atMostOne, exactlyOne, exactlyOneIfAny } from '../../contract/across-fields.ts'
import { forbidden } from '../../contract/errors.ts'
import { Id, integer, Moment } from '../../contract/fields.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { cursorPage } from '../../lists/cursor-page.ts'
import { matching, parametersOf } from '../../lists/filters.ts'
import { namesDoNotFit, ordersOf, sortOf } from '../../lists/order.ts'
import { moment, momentOfIdAlone } from '../../lists/order-keys.ts'
import { cursorPageOf, cursorQuery } from '../../lists/page.ts'
import { type Ownership, route } from '../../operations/route.ts'
import { limits, refuseIfOverLimit } from '../limits.ts'
import { member } from '../member.ts'
import { refuseIfFinalized, refuseIfFrozen, subtask } from '../subtask.ts'
import { tag } from '../tags/tags.ts'
import { task } from '../task.ts'
import { referToTags, storedEntries, TimeEntry, taskOfTime, timeConstraints, timeEntry } from '../time-entry.ts'
import { refuseIfOrphaned, restoreRoute } from '../trash.ts'
import { filters } from './filters.ts'
import { besideTime } from './include.ts'
import {
  checkRestoredTime,
  isCheckedForOverlap,
  readPolicies,
  refuseIfLocked,
  refuseIfOverlapping,
  refuseIfRunningInto,
} from './policies.ts'
import { recordTime, refuseUnlessActive, type TimeParent, taskOf } from './record-time.ts'
import { endOf, reachesBeyond, refuseIfYetToStart } from './rules.ts'
import { stopRunning } from './time-writes.ts'

/** The orders of GET /time-entries. */
export const entryOrders = ordersOf('time-entries', sql`time_entries`, {
  by: {
    startedAt: moment(sql`time_entries.started_at`, { byProject: true }),
    createdAt: momentOfIdAlone,
    updatedAt: moment(sql`time_entries.updated_at`),
  },
  unsorted: '-startedAt',
  refused: { description: namesDoNotFit },
})

const { taskId, subtaskId, description, billable, tagIds } = TimeEntry.shape

/** Time is on exactly one task or subtask. @see docs/contract.md §2.7 */
export const onOneParent = <Body extends z.ZodObject<Record<'taskId' | 'subtaskId', z.ZodType>>>(body: Body): Body =>
  exactlyOne(body, ['taskId', 'subtaskId'], 'Exactly one of taskId and subtaskId is required')

const withOneEndAtMost = <Body extends z.ZodObject<Record<'endedAt' | 'durationSeconds', z.ZodType>>>(
  body: Body,
): Body => atMostOne(body, ['endedAt', 'durationSeconds'], 'Send at most one of endedAt and durationSeconds')

const durationSeconds = integer(0, 3_155_760_000).meta({ description: 'You can send it instead of `endedAt`.' })
const changeable = z
  .strictObject({
    ...{ taskId, subtaskId, startedAt: Moment, endedAt: Moment.nullable(), durationSeconds },
    ...{ description, billable, tagIds },
  })
  .partial()
const example = { taskId: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f', description: 'A few words' }
const memberId = Id.optional().meta({
  description: 'Default: you. Only leads of the project can record time for another member.',
})
const NewTimeEntry = withOneEndAtMost(onOneParent(changeable.extend({ memberId }))).meta({
  examples: [{ ...example, durationSeconds: 5_400 }],
})
const TimeEntryChanges = withOneEndAtMost(
  exactlyOneIfAny(
    changeable,
    ['taskId', 'subtaskId'],
    'To change the task or subtask, send exactly one of taskId and subtaskId',
  ),
).meta({ examples: [{ ...example, billable: true }] })

/** The references of time to its task or subtask, and the role that they need. */
export const parents = {
  taskId: { to: task, fields: ['id', 'projectId'], needs: 'contributor' },
  // lock the subtask, so that it is not finalized before the time is committed
  subtaskId: { to: subtask, fields: ['id', 'taskId', 'projectId', 'finalizedAt'], needs: 'contributor', lock: 'share' },
} as const

/** Own time needs a contributor, the time of others a lead. */
const ownOrOthers: Ownership<{ memberId: string }> = {
  isOwn: ({ memberId }, caller) => memberId === caller.memberId,
  own: 'contributor',
  others: 'lead',
}

export const timeEntries = [
  route('GET /time-entries', {
    name: 'timeEntries.list',
    summary: 'List time entries',
    description: 'Sorted by start, latest first, unless you send `sort`.',
    roles: everyone,
    query: z.strictObject({
      ...cursorQuery,
      sort: sortOf(entryOrders),
      ...parametersOf(filters),
      include: besideTime.include,
    }),
    returns: cursorPageOf(besideTime.Full),
    async handle(asked) {
      const { caller, query } = asked
      const page = await cursorPage<TimeEntry>(asked, {
        columns: storedEntries.columns,
        strip: storedEntries.strip,
        table: sql`time_entries`,
        where: matching(filters, caller, query),
        visibility: visibilityOf(caller, sql`time_entries`, query.projectId),
        order: entryOrders.of(query.sort),
      })
      return besideTime.inPage(asked, page)
    },
  }),

  route('POST /time-entries', {
    name: 'timeEntries.create',
    summary: 'Create a time entry',
    description:
      'Records time on a task or a subtask. Without `endedAt` and `durationSeconds`, the time entry is running. A running ' +
      'time entry cannot start in the future. ' +
      `A task can have at most ${limits.timeOnTask.most} time entries, including those on its subtasks.`,
    roles: everyone,
    body: NewTimeEntry,
    references: { ...parents, memberId: { to: member }, tagIds: { to: tag } },
    preload: readPolicies,
    cases: [{ when: 'for another member', needs: 'lead' }],
    returns: TimeEntry,
    created: ({ id }) => `/time-entries/${id}`,
    constraints: timeConstraints,
    emits: ['time_entry.updated', 'time_entry.created'],
    handle({ db, caller, body, references, preloaded, emit, now }) {
      const [parent]: Loaded<TimeParent>[] = [...references.taskId, ...references.subtaskId]
      const { item, role } = expected(parent, 'The task or subtask of the time')
      const { memberId = caller.memberId, startedAt = now, durationSeconds, ...own } = body
      refuseOthersTime(memberId, caller, role)
      refuseIfFinalized(item)
      const endedAt = endOf(startedAt, body) ?? null
      return recordTime({ db, caller, emit, now }, preloaded, item, { ...own, memberId, startedAt, endedAt })
    },
  }),

  route('GET /time-entries/{id}', {
    name: 'timeEntries.get',
    summary: 'Get a time entry',
    roles: everyone,
    target: timeEntry,
    query: z.strictObject({ include: besideTime.includeInItem }),
    returns: besideTime.Full,
    handle: (asked) => besideTime.inItem(asked, asked.target),
  }),

  route('PATCH /time-entries/{id}', {
    name: 'timeEntries.update',
    summary: 'Update a time entry',
    description: 'You can also move the time entry to another task or subtask.',
    roles: everyone,
    target: timeEntry,
    needs: ownOrOthers,
    body: TimeEntryChanges,
    references: { ...parents, tagIds: { to: tag } },
    returns: TimeEntry,
    constraints: timeConstraints,
    emits: ['time_entry.left', 'time_entry.updated'],
    async handle({ db, caller, target, body, references, emit, now }) {
      const { orgId } = caller
      const [onto]: Loaded<TimeParent>[] = [...references.taskId, ...references.subtaskId]
      if (onto) refuseOthersTime(target.memberId, caller, onto.role)
      await refuseIfFrozen(db, orgId, target.subtaskId)
      const parent = onto?.item
      if (parent) refuseIfFinalized(parent)
      if (parent && taskOf(parent) !== (await taskOfTime(db, orgId, target))) {
        await refuseIfOverLimit(db, limits.timeOnTask, { orgId, id: taskOf(parent) })
      }
      const { tagIds, durationSeconds, taskId, subtaskId, startedAt = target.startedAt, ...own } = body
      const endedAt = endOf(startedAt, body, target.endedAt) ?? null
      const moves = startedAt !== target.startedAt || endedAt !== target.endedAt
      if (endedAt === null && moves) refuseIfYetToStart(startedAt, now)
      const policies = await readPolicies(db, caller)
      const stops = target.endedAt === null && endedAt !== null && Object.keys(body).every((field) => isEnd(field))
      if (!stops) refuseIfLocked(policies, target.startedAt, startedAt)
      if (endedAt === null && target.endedAt !== null) await refuseUnlessActive(db, orgId, target.memberId)
      const reaches = reachesBeyond({ startedAt, endedAt }, target)
      if (reaches) await refuseIfOverlapping({ db, caller, now }, policies, { ...target, startedAt, endedAt })
      if (tagIds) await referToTags(db, orgId, target.id, tagIds)
      const on = parent && { taskId: taskId ?? null, subtaskId: subtaskId ?? null, projectId: parent.projectId }
      const ends = target.endedAt === null && endedAt !== null
      if (ends && !reaches) await refuseIfRunningInto(db, caller, target, endedAt)
      const held = policies.overlapPolicy === 'reject' && endedAt !== null
      // an entry that stays within its former span may keep overlaps from before the policy
      const noOverlap = reaches ? held : ends ? isCheckedForOverlap(orgId, sql`time_entries`) : undefined
      const fields = { ...own, ...on, startedAt, endedAt, tagIds: tagIds?.toSorted(), noOverlap }
      const changed = await storedEntries.update(db, orgId, target.id, fields, now)
      // a reader who sees only the former project gets no later event
      if (changed.projectId !== target.projectId) emit('time_entry.left', target)
      emit('time_entry.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /time-entries/{id}', {
    name: 'timeEntries.delete',
    summary: 'Delete a time entry',
    description: 'A running time entry is stopped first.',
    roles: everyone,
    target: timeEntry,
    needs: ownOrOthers,
    emits: ['time_entry.updated', 'time_entry.deleted'],
    async handle({ db, caller, target, emit, now }) {
      const { orgId } = caller
      await refuseIfFrozen(db, orgId, target.subtaskId)
      refuseIfLocked(await readPolicies(db, caller), target.startedAt)
      const own = sql`time_entries.id = ${target.id}`
      const [ended = target] = target.endedAt === null ? await stopRunning({ db, caller, emit, now }, own) : []
      await storedEntries.remove(db, orgId, target.id, now)
      emit('time_entry.deleted', ended)
    },
  }),

  restoreRoute(storedEntries, {
    name: 'timeEntries.restore',
    target: timeEntry,
    constraints: timeConstraints,
    async before({ db, caller, target: entry, now }) {
      const { orgId } = caller
      const { id, taskId, subtaskId } = entry
      await refuseIfOrphaned(db, sql`tasks`, orgId, taskId, 'task')
      await refuseIfOrphaned(db, sql`subtasks`, orgId, subtaskId, 'subtask')
      await refuseIfFrozen(db, orgId, subtaskId)
      const on = await taskOfTime(db, orgId, entry)
      await refuseIfOverLimit(db, limits.timeOnTask, { orgId, id: on })
      await checkRestoredTime({ db, caller, now }, sql`time_entries.id = ${id}`)
    },
  }),
]

const isEnd = (field: string) => field === 'endedAt' || field === 'durationSeconds'

/** @throws 403 for the time of others, unless the caller leads the project of the time */
function refuseOthersTime(memberId: string, caller: Caller, role: ProjectRole): void {
  if (memberId === caller.memberId || role === 'lead') return
  throw forbidden('Only leads of the project can record time for another member', 'missing_project_role')
}
