import { withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen } from '../../access/visibility.ts'
import { flagOf, idsFilter, severalIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { isAnyStillAttached } from '../../db/detachments.ts'
import { sql } from '../../db/sql.ts'
import { filter, parametersOf } from '../../lists/filters.ts'
import { includable } from '../../lists/include.ts'
import { namesDoNotFit, notKeptInOrder, ordersOf, sortOf } from '../../lists/order.ts'
import { moment, momentOfId } from '../../lists/order-keys.ts'
import { named, visibleByIds } from '../../lists/parts.ts'
import { Member, member } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { Subtask } from '../subtask.ts'
import { BriefTask, briefTasks } from '../task.ts'

/** The parts that `include` can add to a subtask. */
export const besideSubtask = includable<Subtask>(Subtask, 'A subtask', {
  assignee: named(Member, 'assigneeId', visibleByIds(member)),
  task: named(BriefTask, 'taskId', briefTasks),
  project: named(BriefProject, 'projectId', visibleByIds(briefProject)),
})

/** The orders of GET /subtasks. */
export const subtaskOrders = ordersOf('subtasks', sql`subtasks`, {
  by: {
    createdAt: momentOfId,
    finalizedAt: moment(sql`subtasks.finalized_at`, { empty: true, apart: true }),
  },
  unsorted: '-createdAt',
  refused: { name: namesDoNotFit, updatedAt: notKeptInOrder },
})

/** The filters of GET /subtasks. */
export const filters = {
  id: filter(idsFilter, (ids) => isAnyOf(sql`subtasks.id`, ids)),
  taskId: filter(severalIds([], { description: 'Only subtasks of these tasks.', means: '' }), (ids, caller) =>
    namesSeen(caller, sql`subtasks.task_id`, sql`tasks`, ids),
  ),
  projectId: filter(severalIds([], { description: 'Only subtasks in these projects.', means: '' }), (ids) =>
    inProjects(sql`subtasks`, ids),
  ),
  assigneeId: filter(
    severalIds(['me', 'none'], {
      description:
        'A member, `me`, or `none` for subtasks without an assignee. After a member with very many subtasks ' +
        'is removed, it can take some minutes until all these subtasks match `none`.',
    }),
    (ids, caller) => isAnyStillAttached(caller.orgId, sql`subtasks.assignee_id`, withoutMe(caller, ids)),
  ),
  finalized: filter(flagOf('finalized subtasks'), (finalized) =>
    finalized ? sql`subtasks.finalized_at is not null` : sql`subtasks.finalized_at is null`,
  ),
}

/** The parameters that sort and filter the list. */
export const parameters = { sort: sortOf(subtaskOrders), ...parametersOf(filters) }
