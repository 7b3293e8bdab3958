import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { inProject } from '../../access/visibility.ts'
import { Id, resource, text } from '../../contract/fields.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { refuseIfNoRoom, rooms } from '../room.ts'
import { pageOnTask, taskKey } from '../tasks/attached.ts'
import { task } from '../tasks/task.ts'
import { refuseIfOrphaned, restoring } from '../trash.ts'

/** What somebody said about a task. */
export const Comment = resource('Comment', 'What somebody said about a task.', {
  taskId: Id,
  projectId: Id.meta({ description: 'The project of its task.' }),
  authorId: Id,
  body: text(1, 20_000).meta({ description: 'Markdown.' }),
})
export type Comment = z.output<typeof Comment>

const { body } = Comment.shape

const columns = sql`comments.id, comments.task_id as "taskId", comments.project_id as "projectId",
  comments.author_id as "authorId", comments.body, comments.version, comments.created_at as "createdAt",
  comments.updated_at as "updatedAt"`

const stored = table<Comment>(sql`comments`, columns)

/** A comment on a task in a project that the caller sees. */
export const comment = inProject<Comment>(sql`comments`, columns)

const isAuthor = ({ authorId }: Comment, { memberId }: { memberId: string }) => authorId === memberId

export const comments = [
  route('GET /tasks/{id}/comments', {
    summary: 'List the comments on a task, oldest first',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(Comment),
    handle: (asked) =>
      pageOnTask<Comment>(asked, {
        columns,
        from: (taskId) => sql`comments where comments.org_id = ${asked.caller.orgId} and comments.task_id = ${taskId}
          and comments.deleted_at is null`,
        order: sql`comments.id`,
      }),
  }),

  route('POST /tasks/{id}/comments', {
    summary: 'Comment on a task',
    description: `A task has ${rooms.commentsOnTask.most} comments at most.`,
    roles: everyone,
    at: task,
    needs: 'contributor',
    body: z.strictObject({ body }),
    returns: Comment,
    created: ({ id }) => `/comments/${id}`,
    async handle({ db, caller, at, body, emit, now }) {
      await refuseIfNoRoom(db, rooms.commentsOnTask, { orgId: caller.orgId, id: at.id })
      const fields = { ...body, taskId: at.id, projectId: at.projectId, authorId: caller.memberId }
      const created = await stored.insert(db, caller.orgId, fields, now)
      emit('comment.created', created)
      return created
    },
  }),

  route('GET /comments/{id}', {
    summary: 'Read a comment',
    roles: everyone,
    at: comment,
    returns: Comment,
    handle: ({ at }) => at,
  }),

  route('PATCH /comments/{id}', {
    summary: 'Edit a comment: its author only',
    roles: everyone,
    at: comment,
    needs: { isOwn: isAuthor, own: 'contributor', others: 'nobody' },
    body: z.strictObject({ body }).partial(),
    returns: Comment,
    async handle({ db, caller, at, body, emit, now }) {
      const changed = await stored.update(db, caller.orgId, at.id, body, now)
      emit('comment.updated', changed, { before: at })
      return changed
    },
  }),

  route('DELETE /comments/{id}', {
    summary: 'Delete a comment: its author, or a lead of the project',
    roles: everyone,
    at: comment,
    needs: { isOwn: isAuthor, own: 'contributor', others: 'lead' },
    async handle({ db, caller, at, emit, now }) {
      await stored.remove(db, caller.orgId, at.id, now)
      emit('comment.deleted', at)
    },
  }),

  restoring({
    path: '/comments',
    noun: 'comment',
    at: comment,
    returns: Comment,
    stored,
    async before(db, { orgId }, { taskId }) {
      await refuseIfOrphaned(db, sql`tasks`, orgId, taskId, 'task', 'no key update')
      await refuseIfNoRoom(db, rooms.commentsOnTask, { orgId, id: taskId })
    },
  }),
]
