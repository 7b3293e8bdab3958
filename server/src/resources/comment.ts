import type { z } from 'zod'
import { inProject } from '../access/visibility.ts'
import { Id, resource, text } from '../contract/fields.ts'
import { table } from '../db/table.ts'

/** A comment on a task. */
export const Comment = resource('Comment', 'A comment on a task.', {
  taskId: Id,
  projectId: Id.meta({ description: 'The project of the task.' }),
  authorId: Id,
  body: text(1, 20_000).meta({ description: 'The text, in Markdown.' }),
})
export type Comment = z.output<typeof Comment>

/** The table of comments. */
export const storedComments = table('comments', Comment, {
  noun: 'comment',
  refersTo: { taskId: 'tasks', projectId: 'projects', authorId: 'members' },
  foundBy: ['body'],
})

/** A comment on a task in a project that the caller sees. */
export const comment = inProject(storedComments)
