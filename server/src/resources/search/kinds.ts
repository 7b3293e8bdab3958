import { type Sql, sql } from '../../db/sql.ts'
import type { Kind } from '../../search/kind.ts'
import { foundTasks } from '../task.ts'

/** What a search finds, in the order in which it is answered; each named as in its events. */
export const kinds = ['task', 'project', 'subtask', 'comment', 'time_entry'] as const
export type KindName = (typeof kinds)[number]

/** What a search does with the rows of a table. */
export interface Searched {
  /** how they are found */
  kind: Kind
  table: Sql
  /** the project of a row */
  projectId: Sql
  key?: Sql
  name?: Sql
  /** what it is searched in besides its name */
  text?: Sql
  /** who wrote it, or whose it is */
  memberId?: Sql
  /** the task that it belongs to */
  taskId?: (orgId: string) => Sql
}

/** A kind whose words follow the log of events. */
export interface Followed extends Searched {
  kind: Kind & { words: string }
}

/** Tasks, whose words are written with them. */
export const searchedTasks: Searched = {
  kind: foundTasks,
  table: sql`tasks`,
  projectId: sql`tasks.project_id`,
  key: sql`tasks.key`,
  name: sql`tasks.name`,
  text: sql`tasks.description`,
}

/** The others. */
export const followed: Record<Exclude<KindName, 'task'>, Followed> = {
  subtask: {
    kind: { number: 2, table: 'searched_subtasks', words: 'subtask_words', texts: ['name'], longTexts: true },
    table: sql`subtasks`,
    projectId: sql`subtasks.project_id`,
    name: sql`subtasks.name`,
    taskId: () => sql`subtasks.task_id`,
  },
  comment: {
    kind: { number: 3, table: 'searched_comments', words: 'comment_words', texts: ['body'], longTexts: true },
    table: sql`comments`,
    projectId: sql`comments.project_id`,
    text: sql`comments.body`,
    memberId: sql`comments.author_id`,
    taskId: () => sql`comments.task_id`,
  },
  project: {
    kind: {
      ...{ number: 4, table: 'searched_projects', words: 'project_words', texts: ['name', 'description', 'key'] },
      ...{ projectColumn: 'id', longTexts: true },
    },
    table: sql`projects`,
    projectId: sql`projects.id`,
    key: sql`projects.key`,
    name: sql`projects.name`,
    text: sql`projects.description`,
  },
  time_entry: {
    kind: { number: 5, table: 'searched_time', words: 'time_entry_words', texts: ['description'], longTexts: true },
    table: sql`time_entries`,
    projectId: sql`time_entries.project_id`,
    text: sql`time_entries.description`,
    memberId: sql`time_entries.member_id`,
    taskId: (orgId) => sql`coalesce(time_entries.task_id, (
      select subtasks.task_id from subtasks
      where subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id))`,
  },
}

/** What a kind is followed by in the log, or undefined: `comment.updated` tells of a comment. */
export const kindOfEvent = (type: string): keyof typeof followed | undefined => {
  const [noun = ''] = type.split('.')
  return noun in followed ? (noun as keyof typeof followed) : undefined
}
