import { type Sql, sql } from '../db/sql.ts'

/** One change, as others may read it later. */
export interface Change {
  /** noun and what happened to it: `task.created` */
  type: string
  orgId: string
  resourceId: string
  /** the project that it belongs to: who sees the project sees the event */
  projectId: string | null
  changes: Record<string, { from: unknown; to: unknown }>
  /** the resource after the change; of a deletion: before it */
  snapshot: unknown
}

/** Who made a change, by which request. */
export interface Actor {
  memberId: string | null
  keyId: string | null
  requestId: string
}

/**
 * Appends changes to their organization's gap-free sequence. The counter's row is the last lock of a transaction and
 * goes out together with COMMIT: it is held for one flush, cannot deadlock, and numbers follow the order of commits.
 */
export function append(changes: readonly [Change, ...Change[]], actor: Actor, now: string): Sql {
  const [{ orgId }] = changes
  const records = JSON.stringify(changes)
  return sql`
    with counter as (
      update event_counters set last_sequence = last_sequence + ${changes.length}
      where org_id = ${orgId} returning last_sequence)
    insert into events (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id,
      changes, snapshot, created_at)
    select ${orgId}::uuid, counter.last_sequence - ${changes.length} + record.ordinality, record.value ->> 'type',
      ${actor.memberId}::uuid, ${actor.keyId}::uuid, ${actor.requestId}::text, (record.value ->> 'resourceId')::uuid,
      (record.value ->> 'projectId')::uuid, record.value -> 'changes', record.value -> 'snapshot', ${now}::timestamptz
    from counter, json_array_elements(${records}::json) with ordinality as record (value, ordinality)`
}

/** Notes that something changed; written with the change, in its transaction. */
export type Emit = (type: string, item: object, more?: Particulars) => void

interface Particulars {
  /** of the resource, where it has no field `id` */
  id?: string
  /** the resource before the change */
  before?: object
  /** where it is not the caller's */
  orgId?: string
}

/** Gathers the changes of one transaction until they are appended. */
export function collectChanges(callersOrgId: string): { emit: Emit; changes: Change[] } {
  const changes: Change[] = []
  const emit: Emit = (type, item, { id, before, orgId = callersOrgId } = {}) => {
    const named = item as { id?: string; projectId?: string | null }
    const resourceId = id ?? named.id ?? ''
    changes.push({
      type,
      orgId,
      resourceId,
      projectId: type.startsWith('project.') ? resourceId : (named.projectId ?? null),
      changes: before ? differences(before, item) : {},
      snapshot: item,
    })
  }
  return { emit, changes }
}

/** What differs between two states of a resource; version and updatedAt always differ and say nothing. */
function differences(before: object, after: object): Change['changes'] {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after)
      .filter(
        ([name, to]) => name !== 'version' && name !== 'updatedAt' && JSON.stringify(to) !== JSON.stringify(old[name]),
      )
      .map(([name, to]) => [name, { from: old[name], to }]),
  )
}
