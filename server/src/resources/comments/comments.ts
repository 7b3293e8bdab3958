import { z } from 'zod'
import { everyone, withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen, visibilityOf } from '../../access/visibility.ts'
import { idsFilter, Moment, severalIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { firstIdOf, newTimedId } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'
import { cursorPage } from '../../lists/cursor-page.ts'
import { filter, matching, parametersOf } from '../../lists/filters.ts'
import { includable } from '../../lists/include.ts'
import { notKeptInOrder, ordersOf, sortOf } from '../../lists/order.ts'
import { momentOfId } from '../../lists/order-keys.ts'
import { cursorPageOf, cursorQuery, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { named, visibleByIds } from '../../lists/parts.ts'
import { route } from '../../operations/route.ts'
import { Comment, comment, storedComments } from '../comment.ts'
import { limits, refuseIfOverLimit } from '../limits.ts'
import { NamedMember, namedMembers } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { BriefTask, briefTasks, task } from '../task.ts'
import { pageOnTask, taskKey } from '../tasks/lists-on-task.ts'
import { refuseIfOrphaned, restoreRoute } from '../trash.ts'

const filters = {
  id: filter(idsFilter, (ids) => isAnyOf(sql`comments.id`, ids)),
  taskId: filter(severalIds([], { description: 'Only comments on these tasks.', means: '' }), (ids, caller) =>
    namesSeen(caller, sql`comments.task_id`, sql`tasks`, ids),
  ),
  projectId: filter(severalIds([], { description: 'Only comments in these projects.', means: '' }), (ids) =>
    inProjects(sql`comments`, ids),
  ),
  authorId: filter(severalIds(['me'], { description: 'The author: a member, or `me`.' }), (ids, caller) =>
    isAnyOf(sql`comments.author_id`, withoutMe(caller, ids)),
  ),
  since: filter(
    Moment.meta({ description: 'Comments that were created at or after this date-time.' }),
    // the id bound lets the list seek by id; the time in an id is never before `created_at`
    (moment) => sql`comments.id >= ${firstIdOf(moment)} and comments.created_at >= ${moment}`,
  ),
}

const besideComment = includable<Comment>(Comment, 'A comment', {
  author: named(NamedMember, 'authorId', namedMembers),
  task: named(BriefTask, 'taskId', briefTasks),
  project: named(BriefProject, 'projectId', visibleByIds(briefProject)),
})

const commentOrders = ordersOf('comments', sql`comments`, {
  by: { createdAt: momentOfId },
  unsorted: '-createdAt',
  refused: { updatedAt: notKeptInOrder },
})

const { body } = Comment.shape

const isAuthor = ({ authorId }: Comment, { memberId }: { memberId: string }) => authorId === memberId

export const comments = [
  route('GET /tasks/{id}/comments', {
    name: 'tasks.comments.list',
    summary: 'List the comments on a task',
    description: 'Oldest first.',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery, include: besideComment.include }),
    returns: offsetPageOf(besideComment.Full),
    async handle(asked) {
      const page = await pageOnTask<Comment>(asked, {
        columns: storedComments.columns,
        from: (taskId) => sql`comments where comments.org_id = ${asked.caller.orgId} and comments.task_id = ${taskId}
          and comments.deleted_at is null`,
        order: sql`comments.id`,
      })
      return besideComment.inPage(asked, page)
    },
  }),

  route('POST /tasks/{id}/comments', {
    name: 'comments.create',
    summary: 'Create a comment',
    description: `A task can have at most ${limits.commentsOnTask.most} comments.`,
    roles: everyone,
    target: task,
    needs: 'contributor',
    body: z.strictObject({ body }),
    returns: Comment,
    created: ({ id }) => `/comments/${id}`,
    emits: ['comment.created'],
    async handle({ db, caller, target, body, emit }) {
      await refuseIfOverLimit(db, limits.commentsOnTask, { orgId: caller.orgId, id: target.id })
      const { id, createdAt } = newTimedId()
      const fields = { ...body, id, taskId: target.id, projectId: target.projectId, authorId: caller.memberId }
      const created = await storedComments.insert(db, caller.orgId, fields, createdAt)
      emit('comment.created', created)
      return created
    },
  }),

  route('GET /comments', {
    name: 'comments.list',
    summary: 'List comments',
    description: 'Returns the comments on all tasks that you can see. Newest first, unless you send `sort`.',
    roles: everyone,
    query: z.strictObject({
      ...cursorQuery,
      sort: sortOf(commentOrders),
      ...parametersOf(filters),
      include: besideComment.include,
    }),
    returns: cursorPageOf(besideComment.Full),
    async handle(asked) {
      const { caller, query } = asked
      const page = await cursorPage<Comment>(asked, {
        columns: storedComments.columns,
        strip: (item) => item,
        table: sql`comments`,
        where: matching(filters, caller, query),
        visibility: visibilityOf(caller, sql`comments`, query.projectId),
        order: commentOrders.of(query.sort),
      })
      return besideComment.inPage(asked, page)
    },
  }),

  route('GET /comments/{id}', {
    name: 'comments.get',
    summary: 'Get a comment',
    roles: everyone,
    target: comment,
    query: z.strictObject({ include: besideComment.includeInItem }),
    returns: besideComment.Full,
    handle: (asked) => besideComment.inItem(asked, asked.target),
  }),

  route('PATCH /comments/{id}', {
    name: 'comments.update',
    summary: 'Update a comment',
    description: 'Only the author can update a comment.',
    roles: everyone,
    target: comment,
    needs: { isOwn: isAuthor, own: 'contributor', others: 'nobody' },
    body: z.strictObject({ body }).partial(),
    returns: Comment,
    emits: ['comment.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      const changed = await storedComments.update(db, caller.orgId, target.id, body, now)
      emit('comment.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /comments/{id}', {
    name: 'comments.delete',
    summary: 'Delete a comment',
    description: 'The author can delete a comment, and so can a lead of the project.',
    roles: everyone,
    target: comment,
    needs: { isOwn: isAuthor, own: 'contributor', others: 'lead' },
    emits: ['comment.deleted'],
    async handle({ db, caller, target, emit, now }) {
      await storedComments.remove(db, caller.orgId, target.id, now)
      emit('comment.deleted', target)
    },
  }),

  restoreRoute(storedComments, {
    name: 'comments.restore',
    target: comment,
    async before({ db, caller: { orgId }, target: { taskId } }) {
      await refuseIfOrphaned(db, sql`tasks`, orgId, taskId, 'task', 'no key update')
      await refuseIfOverLimit(db, limits.commentsOnTask, { orgId, id: taskId })
    },
  }),
]
