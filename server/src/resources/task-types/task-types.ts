import { z } from 'zod'
import { admins, everyone } from '../../access/caller.ts'
import { inOrganization } from '../../access/visibility.ts'
import { Color, Name, resource, text } from '../../contract/fields.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { hasWordsOf, wordStarts } from '../../search/by-name.ts'
import { detach, refuseIfDetaching } from '../detaching/detaching.ts'
import { restoreRoute } from '../trash.ts'

/** The kind of work that a task is: bug, feature, chore. */
export const TaskType = resource('TaskType', 'The kind of work that a task is.', {
  name: Name.meta({ description: 'Unique in the organization. Case and accents do not matter.', examples: ['Bug'] }),
  color: Color.nullable(),
  icon: text(1, 64)
    .nullable()
    .meta({ examples: ['🐞'] }),
})
export type TaskType = z.output<typeof TaskType>

const TaskTypeChanges = TaskType.pick({ name: true, color: true, icon: true }).partial()
const NewTaskType = TaskTypeChanges.required({ name: true })

/** The table of task types. */
export const storedTypes = table('task_types', TaskType, {
  noun: 'task_type',
  nameKey: true,
  foundBy: ['name'],
  tells: {
    deleted:
      'The task type is also removed from tasks. Each of these tasks gets its own event, at once or within minutes.',
  },
})
const constraints = { task_types_name: 'name' }

/** A task type of the caller's organization. */
export const taskType = inOrganization(storedTypes)

export const taskTypes = [
  route('GET /task-types', {
    name: 'taskTypes.list',
    summary: 'List task types',
    description: 'Sorted by name.',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery, q: wordStarts }),
    returns: offsetPageOf(TaskType),
    handle: ({ db, caller, query }) => {
      const there = sql`org_id = ${caller.orgId} and deleted_at is null`
      const from = sql`task_types where ${sql.all(there, query.q && hasWordsOf(sql`task_types`, caller.orgId, query.q))}`
      return offsetPage<TaskType>(db, { columns: storedTypes.columns, from, order: sql`name_key, id` }, query)
    },
  }),

  route('POST /task-types', {
    name: 'taskTypes.create',
    summary: 'Create a task type',
    roles: admins,
    body: NewTaskType,
    returns: TaskType,
    created: ({ id }) => `/task-types/${id}`,
    constraints,
    emits: ['task_type.created'],
    async handle({ db, caller, body, emit, now }) {
      const created = await storedTypes.insert(db, caller.orgId, body, now)
      emit('task_type.created', created)
      return created
    },
  }),

  route('GET /task-types/{id}', {
    name: 'taskTypes.get',
    summary: 'Get a task type',
    roles: everyone,
    target: taskType,
    returns: TaskType,
    handle: ({ target }) => target,
  }),

  route('PATCH /task-types/{id}', {
    name: 'taskTypes.update',
    summary: 'Update a task type',
    roles: admins,
    target: taskType,
    body: TaskTypeChanges,
    returns: TaskType,
    constraints,
    emits: ['task_type.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      const changed = await storedTypes.update(db, caller.orgId, target.id, body, now)
      emit('task_type.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /task-types/{id}', {
    name: 'taskTypes.delete',
    summary: 'Delete a task type',
    description:
      'The task type is also removed from its tasks. No response shows it from now on. If there are many tasks, ' +
      'their events follow within minutes.',
    roles: admins,
    target: taskType,
    emits: ['task_type.deleted', 'task.updated'],
    async handle({ db, caller, target, emit, now }) {
      await storedTypes.remove(db, caller.orgId, target.id, now)
      emit('task_type.deleted', target)
      await detach({ db, emit, now }, { orgId: caller.orgId, kind: 'task_type', id: target.id })
    },
  }),

  restoreRoute(storedTypes, {
    name: 'taskTypes.restore',
    target: taskType,
    description: 'You can restore a task type for 30 days. Tasks that had this type do not get it back.',
    constraints,
    before: ({ db, caller, target }) => refuseIfDetaching(db, caller.orgId, target.id),
  }),
]
