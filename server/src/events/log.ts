import { type Sql, sql } from '../db/sql.ts'

/**
 * The id of an event: a UUIDv8 (RFC 9562 §5.8) made of what an event never changes, so the log does not store it. The feed,
 * streams and webhooks show it (`webhook-id`). Its sequence alone would not do: a database that is put back gives it out again.
 */
export const eventId: Sql = sql`overlay(overlay(encode(substr(sha256(uuid_send(events.org_id) || int8send(events.sequence)
  || timestamptz_send(events.created_at) || uuid_send(events.resource_id) || convert_to(events.type, 'UTF8')),
  1, 16), 'hex') placing '8' from 13) placing '8' from 17)::uuid`

/** The noun of an event's type, which says what kind of resource it is about: `time_entry`. */
export const noun: Sql = sql`split_part(events.type, '.', 1)`

const isOfKey = sql`events.type like 'api\_key.%'`

/** An event as it is shown, as far as that decides who sees it and which filters match. */
export interface ShownEvent {
  sequence: number
  type: string
  actor: { memberId: string | null; apiKeyId: string | null }
  resource: { id: string }
  projectId: string | null
  snapshot: Record<string, unknown>
}

/** Which events a reader wants; all filters that are given must match. */
export interface EventFilters {
  /** types, or `task.*` for all of a noun */
  type?: string[] | undefined
  resourceId?: string | undefined
  projectId?: string | undefined
  actorId?: string | undefined
}

/**
 * The columns of `events` as the fields of an event, but for its snapshot.
 * @param withKeys condition: the reader may see with which keys the event's actor came
 */
export const eventColumns = (withKeys: Sql): Sql => sql`${eventId} as id, events.sequence, events.type,
  json_build_object('memberId', events.actor_id, 'apiKeyId', case when ${withKeys} then events.actor_key_id end) as actor,
  events.request_id as "requestId", json_build_object('type', ${noun}, 'id', events.resource_id) as resource,
  events.project_id as "projectId", events.changes,
  to_char(events.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`

/**
 * The JSON of an event as every door sends it: the feed, streams and webhooks. It holds no line break.
 * @param withKeys condition: the reader may see which keys the event was made with; `true` for who leads the organization
 */
export const shownEvent = (withKeys: Sql): Sql => sql`(select row_to_json(event)::text from (
  select ${eventColumns(withKeys)}, case when ${isOfKey} and (${withKeys}) is not true
    then (events.snapshot::jsonb || '{"createdWith":null}')::json else events.snapshot end as snapshot) event)`
