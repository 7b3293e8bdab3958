import type { z } from 'zod'
import { inProject } from '../access/visibility.ts'
import { Id, resource, text } from '../contract/fields.ts'
import { table } from '../db/table.ts'

/** What somebody said about a task. */
export const Comment = resource('Comment', 'What somebody said about a task.', {
  taskId: Id,
  projectId: Id.meta({ description: 'The project of its task.' }),
  authorId: Id,
  body: text(1, 20_000).meta({ description: 'Markdown.' }),
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
