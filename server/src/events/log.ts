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

/** What of a stored event decides who sees it, whether with the ids of API keys, and which filters match. */
export interface EventTraits {
  type: string
  resourceId: string
  projectId: string | null
  actorId: string | null
  /** whose API key it is about */
  keyHolderId: string | null
  /** who made the API key that it is about */
  keyMakerId: string | null
}

/** The columns of `events` that make its traits. For whoever hands events to several readers: streams. */
export const traitColumns: Sql = sql`events.type, events.resource_id as "resourceId",
  events.project_id as "projectId", events.actor_id as "actorId",
  case when ${isOfKey} then events.snapshot ->> 'memberId' end as "keyHolderId",
  case when ${isOfKey} then events.snapshot ->> 'createdBy' end as "keyMakerId"`

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
