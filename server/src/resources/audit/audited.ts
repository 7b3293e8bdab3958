import { type Sql, sql } from '../../db/sql.ts'
import { eventTypeNames, matchesType, typePatterns } from '../../events/type-names.ts'

/**
 * Condition: an event is an administrative action. It concerns members and their rights, keys, settings or webhooks, or
 * it deletes or restores something. The index `events_audited` repeats this condition word for word, so that the
 * planner uses it.
 */
export const isAudited: Sql = sql`(split_part(events.type, '.', 1) in ('organization', 'member', 'project_member', 'api_key', 'webhook')
    or split_part(events.type, '.', 2) in ('deleted', 'restored'))`

const auditedNouns = ['organization', 'member', 'project_member', 'api_key', 'webhook']
const auditedTypes = eventTypeNames.filter((type) => {
  const [noun = '', verb = ''] = type.split('.')
  return auditedNouns.includes(noun) || verb === 'deleted' || verb === 'restored'
})

/** The values of the `type` filter: types that the audit log can have, and nouns with such a type. */
export const auditedPatterns = typePatterns.filter((pattern) =>
  auditedTypes.some((type) => matchesType([pattern], type)),
)

/**
 * Fields whose values stay in the audit log: rights, and when they end. It keeps no other values, so that it names
 * neither purged data nor erased people.
 */
const keptValues = [
  ...['role', 'grantedRole', 'status', 'scopes', 'expiresAt', 'revokedAt', 'settings', 'weekStart', 'types'],
  'disabledReason',
]

/** SQL: the changes of an event, with the values of these fields only. */
const keptChanges: Sql = sql`(
  select coalesce(json_object_agg(field, case when field = any(${keptValues}::text[]) then change else '{}' end), '{}')
  from json_each(events.changes) fields (field, change))`

/**
 * Statement: copies the administrative events in a query named `gone` to the audit log, as they leave the event log.
 */
export const keepForAudit: Sql = sql`
  insert into audit_entries (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id,
    changes, created_at)
  select org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, ${keptChanges}, created_at
  from gone events where ${isAudited} on conflict do nothing`
