import { type Sql, sql } from '../db/sql.ts'

/**
 * The id of an event: a UUIDv8 (RFC 9562 §5.8), a hash of columns that never change, so the log need not store it. The feed,
 * streams and webhooks show it (`webhook-id`). The sequence is not enough: after a restore the database assigns it again.
 */
export const eventId: Sql = sql`overlay(overlay(encode(substr(sha256(uuid_send(events.org_id) || int8send(events.sequence)
  || timestamptz_send(events.created_at) || uuid_send(events.resource_id) || convert_to(events.type, 'UTF8')),
  1, 16), 'hex') placing '8' from 13) placing '8' from 17)::uuid`

/** The noun of an event's type, which names the kind of its resource: `time_entry`. */
export const noun: Sql = sql`split_part(events.type, '.', 1)`

const isOfKey = sql`events.type like 'api\_key.%'`

/** The fields of an event that decide who sees it and which filters match. */
export interface ShownEvent {
  sequence: number
  type: string
  actor: { memberId: string | null; apiKeyId: string | null }
  resource: { id: string }
  projectId: string | null
  snapshot: Record<string, unknown>
}

/** The filters of a reader. An event must match all filters that are set. */
export interface EventFilters {
  /** types, or `task.*` for all types of a noun */
  type?: string[] | undefined
  resourceId?: string | undefined
  projectId?: string | undefined
  actorId?: string | undefined
}

/**
 * The columns of `events` as the fields of an event, except its snapshot.
 * @param withKeys condition: the reader may see which API key made the change
 */
export const eventColumns = (withKeys: Sql): Sql => sql`${eventId} as id, events.sequence, events.type,
  json_build_object('memberId', events.actor_id, 'apiKeyId', case when ${withKeys} then events.actor_key_id end) as actor,
  events.request_id as "requestId", json_build_object('type', ${noun}, 'id', events.resource_id) as resource,
  events.project_id as "projectId", events.changes,
  to_char(events.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`

/**
 * The JSON of an event, the same in the feed, streams and webhooks. It contains no line break.
 * @param withKeys condition: the reader may see which API key made the change; `true` for leaders of the organization
 */
export const shownEvent = (withKeys: Sql): Sql => sql`(select row_to_json(event)::text from (
  select ${eventColumns(withKeys)}, case when ${isOfKey} and (${withKeys}) is not true
    then (events.snapshot::jsonb || '{"createdWith":null}')::json else events.snapshot end as snapshot) event)`
