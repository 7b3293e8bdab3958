import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { Loader } from '../access/loader.ts'
import { inProject, present, roleIn } from '../access/visibility.ts'
import { Day, Id, ids, integer, Name, resource, Timestamp, text } from '../contract/fields.ts'
import { Prerendered } from '../contract/prerendered.ts'
import { Columns, columnsOf } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { type Strip, stripFields, stripRow, withDetaching } from '../db/detachments.ts'
import { sql } from '../db/sql.ts'
import { table } from '../db/table.ts'
import type { Kind } from '../search/kind.ts'

/** The priorities of tasks, in ascending order. */
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

/** A piece of work in a project. */
export const Task = resource('Task', 'A piece of work in a project.', {
  projectId: Id.meta({ description: 'The project of the task. It cannot be changed.' }),
  workspaceId: Id.nullable(),
  stageId: Id.nullable().meta({ description: 'A task in a workspace is always in one of its stages.' }),
  number: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'The number of the task in its project. Numbers have no gaps.' }),
  key: z
    .string()
    .regex(/^[A-Z][A-Z0-9]{1,9}-[1-9][0-9]*$/)
    .meta({ description: 'The key of the project and the number of the task.', maxLength: 21, examples: ['WEB-12'] }),
  name: Name.meta({ examples: ['Paint the fence'] }),
  description: text(0, 50_000).nullable().meta({ description: 'The text, in Markdown.' }),
  typeId: Id.nullable(),
  priority: z.enum(priorities),
  assigneeIds: ids(20).meta({ description: 'The members who do the task. Responses sort them by id.' }),
  tagIds: ids(50).meta({ description: 'The tags of the task. Responses sort them by id.' }),
  startDate: Day.nullable(),
  dueDate: Day.nullable(),
  estimateSeconds: integer(0, 2_147_483_647).nullable(),
  position: z
    .int()
    .nullable()
    .meta({
      description:
        'The place of the task in its stage, in ascending order. It can change without a new version, when the ' +
        'server makes room for another one.',
    }),
  completedAt: Timestamp.nullable().meta({
    description: 'When the task entered a stage of the category `done`. Null if it is not completed.',
  }),
  createdBy: Id,
})
export type Task = z.output<typeof Task>

const detachable = {
  assigneeIds: sql`tasks.assignee_ids`,
  tagIds: sql`tasks.tag_ids`,
  typeId: sql`array[tasks.type_id]`,
}

/** The table of tasks. */
export const storedTasks = table('tasks', Task, {
  noun: 'task',
  tells: {
    deleted:
      'Its subtasks, comments and time entries, and the time entries of its subtasks, are hidden with it, without ' +
      'further events.',
    restored:
      'Everything that was hidden with the task is restored, too. Each restored item gets its next version. The ' +
      'updatedAt of these items is the createdAt of this event.',
    moved: 'A task was moved to another stage or workspace, to another place in its stage, or off its board.',
  },
  refersTo: {
    ...{ projectId: 'projects', workspaceId: 'workspaces', stageId: 'stages' },
    ...{ typeId: 'task_types', createdBy: 'members' },
  },
  joins: {
    task_assignees: { taskId: 'tasks', memberId: 'members' },
    task_tags: { taskId: 'tasks', tagId: 'tags' },
  },
  foundBy: ['name', 'description'],
  detachable,
})

/** Tasks as a kind that a search by words finds. */
export const foundTasks: Kind = {
  table: sql`tasks`,
  projectId: sql`tasks.project_id`,
  name: sql`tasks.name`,
  mayBeLong: true,
}

/** A task without its long text, for the resources that include it. */
export const BriefTask = Task.omit({ description: true }).meta({
  id: 'BriefTask',
  description: 'A task without its description.',
})
export type BriefTask = z.output<typeof BriefTask>

const briefColumns = columnsOf('tasks', BriefTask)
const stripBrief = stripFields<BriefTask>(detachable)

/** Tasks that the caller sees, in brief, by the id that names them: their own, or the id of one of their subtasks. */
export async function tasksNamedBy(db: Db, caller: Caller, ids: readonly string[]): Promise<Map<string, BriefTask>> {
  const { orgId } = caller
  const rows = await db.rows<BriefTask & { naming: string; detaching?: string[] | null }>(sql`
    select asked.id as naming, ${briefColumns}${withDetaching(orgId)} from unnest(${ids}::uuid[]) asked (id)
    cross join lateral (
      select tasks.* from tasks where tasks.org_id = ${orgId} and tasks.deleted_at is null and tasks.id = coalesce((
        select subtasks.task_id from subtasks
        where subtasks.org_id = ${orgId} and subtasks.id = asked.id and subtasks.deleted_at is null), asked.id) offset 0) tasks
    join lateral (${roleIn(caller, sql`tasks.project_id`, 'none')}) access on true`)
  return new Map(rows.map(({ naming, ...row }) => [naming, stripRow(row as BriefTask, stripBrief)]))
}

/** Tasks that the caller sees, in brief. */
export const briefTasks = async (db: Db, caller: Caller, ids: readonly string[]): Promise<BriefTask[]> => [
  ...(await tasksNamedBy(db, caller, ids)).values(),
]

/** The form of the key of a task, such as WEB-12. */
export const keyForm = /^[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,9}$/

function byIdOrKey<Item extends object>(columns: Columns, strip: Strip<Item>): Loader<Item> {
  const byId = inProject<Item>({ table: sql`tasks`, columns, strip })
  return {
    belongsTo: 'project',
    accepts: keyForm,
    async load(db, caller, wanted) {
      const [key = ''] = wanted.ids
      if (!keyForm.test(key)) return byId.load(db, caller, wanted)
      // a task in a deleted project can have the same key: the next load leaves out tasks that the caller does not see
      const rows = await db.rows<{ id: string }>(sql`
        select id from tasks where org_id = ${caller.orgId} and key = ${key} and ${present(sql`tasks`, wanted.deleted)}`)
      return byId.load(db, caller, { ...wanted, ids: rows.map(({ id }) => id) })
    },
  }
}

/** A task of a project that the caller sees, by its id or (in a path) by its key. */
export const task = byIdOrKey<Task>(storedTasks.columns, storedTasks.strip)

const texts = byIdOrKey<{ text: string; id: string; version: number }>(
  new Columns(() => sql`tasks.shown as text, tasks.id, tasks.version`),
  ({ text }, gone) => {
    const left = storedTasks.strip(JSON.parse(text), gone)
    return { text: JSON.stringify(left), id: left.id, version: left.version }
  },
)

/** A task as prerendered text, unless the request selects fields. */
export const prerenderedTask: Loader<Prerendered<Task> | Task> = {
  ...texts,
  async load(db, caller, wanted) {
    if (wanted.fields) return task.load(db, caller, wanted)
    const rows = await texts.load(db, caller, wanted)
    return rows.map(({ item: { text, ...tag }, ...found }) => ({
      item: new Prerendered<Task>(text, tag),
      ...found,
    }))
  },
}
