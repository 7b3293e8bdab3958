import { type Sql, sql } from '../../db/sql.ts'
import { eventTypeNames, matchesType, typePatterns } from '../../events/type-names.ts'

/**
 * Condition: an event is an administrative act. It stands in the index `events_audited` word for word, which serves it by that:
 * who belongs to the organization and may do what, its keys, its settings, where its events are sent; and whatever is
 * deleted or comes back.
 */
export const isAudited: Sql = sql`(split_part(events.type, '.', 1) in ('organization', 'member', 'project_member', 'api_key', 'webhook')
    or split_part(events.type, '.', 2) in ('deleted', 'restored'))`

const auditedNouns = ['organization', 'member', 'project_member', 'api_key', 'webhook']
const auditedTypes = eventTypeNames.filter((type) => {
  const [noun = '', verb = ''] = type.split('.')
  return auditedNouns.includes(noun) || verb === 'deleted' || verb === 'restored'
})

/** What the audit may be asked for: types that it can have, and nouns that have one of these. */
export const auditedPatterns = typePatterns.filter((pattern) =>
  auditedTypes.some((type) => matchesType([pattern], type)),
)

/**
 * Fields of which the values are kept for as long as the audit: what somebody may do, and until when. No other value is, so
 * that nothing names what was purged, or who was erased.
 */
const keptValues = [
  ...['role', 'grantedRole', 'status', 'scopes', 'expiresAt', 'revokedAt', 'settings', 'weekStart', 'types'],
  'disabledReason',
]

/** SQL: what an event changed, with these values only. */
const keptChanges: Sql = sql`(
  select coalesce(json_object_agg(field, case when field = any(${keptValues}::text[]) then change else '{}' end), '{}')
  from json_each(events.changes) fields (field, change))`

/** Statement: keeps for the audit what the rows of a query called `gone` tell, as they leave the log. */
export const keepForAudit: Sql = sql`
  insert into audit_entries (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id,
    changes, created_at)
  select org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, ${keptChanges}, created_at
  from gone events where ${isAudited} on conflict do nothing`
