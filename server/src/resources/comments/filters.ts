import { withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen } from '../../access/visibility.ts'
import { Moment, severalIds, theseIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { firstIdOf } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'
import { filter } from '../../lists/filters.ts'

/** The filters of GET /comments. */
export const filters = {
  id: filter(theseIds, (ids) => isAnyOf(sql`comments.id`, ids)),
  taskId: filter(severalIds(), (ids, caller) => namesSeen(caller, sql`comments.task_id`, sql`tasks`, ids)),
  projectId: filter(severalIds(), (ids) => inProjects(sql`comments`, ids)),
  authorId: filter(severalIds(['me'], { description: 'A member, or `me`.' }), (ids, caller) =>
    isAnyOf(sql`comments.author_id`, withoutMe(caller, ids)),
  ),
  since: filter(
    Moment.meta({ description: 'Made at this moment or after it.' }),
    // an id is never older than its comment, and by ids the list is walked
    (moment) => sql`comments.id >= ${firstIdOf(moment)} and comments.created_at >= ${moment}`,
  ),
}
