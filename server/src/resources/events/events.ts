import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { sql } from '../../db/sql.ts'
import { eventColumns } from '../../events/log.ts'
import { offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { prerenderedPageOnTask, taskKey } from '../tasks/lists-on-task.ts'
import { PastEvent } from './event.ts'
import { withKeys } from './visibility.ts'

export const events = [
  route('GET /tasks/{id}/history', {
    summary: 'List what happened to a task, newest first',
    description: 'In the last 30 days, or as long as the setting EVENT_RETENTION says.',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(PastEvent),
    handle: (asked) =>
      prerenderedPageOnTask<PastEvent>(asked, {
        prerendered: sql`(select row_to_json(event)::text from (
          select ${eventColumns(withKeys(asked.caller))}, events.resource_id as "resourceId") event)`,
        from: (taskId) => sql`events where events.org_id = ${asked.caller.orgId} and events.resource_id = ${taskId}`,
        order: sql`events.sequence desc`,
      }),
  }),
]
