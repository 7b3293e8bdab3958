import { z } from 'zod'
import { Id, severalOf } from '../../contract/fields.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventFilters, ShownEvent } from '../../events/log.ts'
import { matchesType, typePatterns, typesMatching } from '../../events/type-names.ts'

/** An event type, or all types of a noun, for feeds, streams and webhooks. */
export const TypePattern = z
  .string()
  .refine((pattern) => typePatterns.includes(pattern), 'Must be an event type such as task.created, or task.*')
  .meta({ enum: [...typePatterns], maxLength: 64, examples: ['task.*'] })

/** The filters of the feed and of streams. An event must match all filters in the request. */
export const eventFilters = {
  type: severalOf(TypePattern, 'an event type such as task.created, or task.*', {
    most: 20,
    description: 'Only events of these types. `task.*` stands for all events of tasks.',
    means: '',
  }).optional(),
  resourceId: Id.optional().meta({ description: 'Only events of this resource.' }),
  projectId: Id.optional().meta({ description: 'Only events of this project and everything in it.' }),
  actorId: Id.optional().meta({ description: 'Only events of changes that this member made.' }),
}

/** Conditions for lists: the filters match the event. They do not check visibility. */
export const matchingEvents = ({ type, resourceId, projectId, actorId }: EventFilters): (Sql | '' | undefined)[] => [
  type && sql`events.type = any(${typesMatching(type)}::text[])`,
  resourceId && sql`events.resource_id = ${resourceId}`,
  projectId && sql`events.project_id = ${projectId}`,
  actorId && sql`events.actor_id = ${actorId}`,
]

/** `matchingEvents` as a function, for streams. */
export const matchesFilters = ({ type, resourceId, projectId, actorId }: EventFilters, event: ShownEvent): boolean =>
  (type === undefined || matchesType(type, event.type)) &&
  (resourceId === undefined || resourceId === event.resource.id) &&
  (projectId === undefined || projectId === event.projectId) &&
  (actorId === undefined || actorId === event.actor.memberId)
