import { type Sql, sql } from '../../db/sql.ts'
import type { Kind } from '../../search/kind.ts'
import { foundTasks } from '../task.ts'

/** What a search finds, in the order in which it is answered; each named as in its events. */
export const kinds = ['task', 'project', 'subtask', 'comment', 'time_entry'] as const
export type KindName = (typeof kinds)[number]

/** A kind, and what a search shows of its rows. */
export interface Searched extends Kind {
  key?: Sql
  /** what it is searched in besides its name */
  text?: Sql
  /** who wrote it, or whose it is */
  memberId?: Sql
  /** the task that it belongs to */
  taskId?: (orgId: string) => Sql
}

export const searchedKinds: Record<KindName, Searched> = {
  task: { ...foundTasks, key: sql`tasks.key`, text: sql`tasks.description` },
  subtask: {
    ...{ table: sql`subtasks`, projectId: sql`subtasks.project_id`, mayBeLong: false },
    name: sql`subtasks.name`,
    taskId: () => sql`subtasks.task_id`,
  },
  comment: {
    ...{ table: sql`comments`, projectId: sql`comments.project_id`, mayBeLong: true },
    text: sql`comments.body`,
    memberId: sql`comments.author_id`,
    taskId: () => sql`comments.task_id`,
  },
  project: {
    ...{ table: sql`projects`, projectId: sql`projects.id`, isProject: true, mayBeLong: true },
    key: sql`projects.key`,
    name: sql`projects.name`,
    text: sql`projects.description`,
  },
  time_entry: {
    ...{ table: sql`time_entries`, projectId: sql`time_entries.project_id`, mayBeLong: true },
    text: sql`time_entries.description`,
    memberId: sql`time_entries.member_id`,
    taskId: (orgId) => sql`coalesce(time_entries.task_id, (
      select subtasks.task_id from subtasks
      where subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id))`,
  },
}
