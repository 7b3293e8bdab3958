import { refused } from '../contract/errors.ts'
import { type Sql, sql } from '../db/sql.ts'
import { differences, isLong } from './differences.ts'

/** One change as the log stores it. */
export interface Change {
  /** noun and verb: `task.created` */
  type: string
  orgId: string
  resourceId: string
  projectId: string | null
  /** the changed fields as JSON, rendered at once so that large objects are not kept in memory until the commit */
  changes: string
  /** the resource, as JSON */
  snapshot: string
}

/** The author of a change and the request that made it. */
export interface Actor {
  memberId: string | null
  keyId: string | null
  requestId: string
}

/**
 * Appends the changes of one request to its organization's sequence, which has no gaps. The first statement advances the counter;
 * the others number their events by it. The counter's row is usually the last lock of a transaction (`lockCounter`
 * takes it earlier), and its statements are sent with the COMMIT. So it cannot deadlock, and the numbers follow the order of the commits.
 * Yields undefined between chunks, where the event loop can do other work.
 */
export function* append(changes: readonly Change[], actor: Actor, now: string): Generator<Sql | undefined> {
  const [first] = changes
  if (first === undefined) return
  const { orgId } = first
  const made = { actor, now }
  yield sql`
    update event_counters set last_sequence = last_sequence + ${changes.length}
    where org_id = ${orgId}`
  if (changes.length === 1) yield insertOne(first, made)
  else
    for (let start = 0; start < changes.length; ) {
      if (start > 0) yield
      const part = chunkAt(changes, start)
      yield insertChunk(part, made, changes.length - start, orgId)
      start += part.length
    }
}

/** The next changes, few enough that one statement writes them in a few milliseconds. */
function chunkAt(all: readonly Change[], start: number): Change[] {
  const chunk: Change[] = []
  let characters = 0
  for (const change of all.slice(start, start + maxChunkChanges)) {
    if (characters > maxChunkCharacters) break
    chunk.push(change)
    characters += change.changes.length + change.snapshot.length
  }
  return chunk
}

const maxChunkChanges = 250
// characters
const maxChunkCharacters = 262_144

/** Locks the counter early and so fixes this transaction's position in the sequence, before it calls `append`. */
export const lockCounter = (orgId: string): Sql => sql`
  select from event_counters where org_id = ${orgId} for no key update`

interface ChangeContext {
  actor: Actor
  now: string
}

const columns = sql`(org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, changes,
  snapshot, created_at)`

/** Most writes change one thing. PostgreSQL runs this an eighth faster than a list of one. */
const insertOne = (change: Change, { actor, now }: ChangeContext): Sql => sql`
  insert into events ${columns}
  select org_id, last_sequence, ${change.type}::text, ${actor.memberId}::uuid, ${actor.keyId}::uuid,
    ${actor.requestId}::text, ${change.resourceId}::uuid, ${change.projectId}::uuid, ${change.changes}::json,
    ${change.snapshot}::json, ${now}::timestamptz
  from event_counters where org_id = ${change.orgId}`

/** @param left number of changes in this statement and the ones after it */
const insertChunk = (part: readonly Change[], made: ChangeContext, left: number, orgId: string): Sql => sql`
  insert into events ${columns}
  select counter.org_id, counter.last_sequence - ${left} + record.ordinality, record.type, record.actor_id,
    record.actor_key_id, record.request_id, record.resource_id, record.project_id, record.changes, record.snapshot,
    record.created_at
  from event_counters counter, rows from (
    json_to_recordset(${`[${part.map((change) => changeToJson(change, made)).join(',')}]`}::json) as (type text, "actorId" uuid, "actorKeyId" uuid,
      "requestId" text, "resourceId" uuid, "projectId" uuid, changes json, snapshot json, now timestamptz)
  ) with ordinality as record (type, actor_id, actor_key_id, request_id, resource_id, project_id, changes, snapshot,
    created_at, ordinality)
  where counter.org_id = ${orgId}`

function changeToJson(
  { type, resourceId, projectId, changes, snapshot }: Change,
  { actor, now }: ChangeContext,
): string {
  const known = {
    type,
    actorId: actor.memberId,
    actorKeyId: actor.keyId,
    requestId: actor.requestId,
    resourceId,
    projectId,
    now,
  }
  // both are JSON already
  return `${JSON.stringify(known).slice(0, -1)},"changes":${changes},"snapshot":${snapshot}}`
}

/** Records a change of one of these types. Its event is written in the same transaction. */
export type Emit<Type extends string> = (type: Type, item: object, more?: EmitOptions) => void

interface EmitOptions {
  /** of the resource, if it has no field `id` */
  id?: string
  /** the resource before the change */
  before?: object
  /** if the change is in another organization than the caller's */
  orgId?: string
}

/** The most changes of one request. It holds locks until all events are written, and other requests wait for them. */
export const mostChanges = 10_000
/** The most characters of all events of one request. */
const mostCharacters = 12_582_912

/**
 * Collects the changes of one transaction until they are appended.
 * @param recorded false for a dry run: it counts the changes and keeps no JSON
 * @throws 412 when there are too many changes
 */
export function collectChanges(callersOrgId: string, recorded = true) {
  const changes: Change[] = []
  let characters = 0
  const emit: Emit<string> = (type, item, { id, before, orgId = callersOrgId } = {}) => {
    const named = item as { id?: string; projectId?: string | null }
    const resourceId = id ?? named.id ?? ''
    const projectId = type.startsWith('project.') ? resourceId : (named.projectId ?? null)
    const changed = before ? differences(before, item) : noDifferences
    const snapshot = JSON.stringify(snapshotOf(type, item, before && changed))
    const told = changed === noDifferences ? '{}' : JSON.stringify(changed)
    characters += fixedCharacters + told.length + snapshot.length
    if (changes.length >= mostChanges || characters > mostCharacters) throw tooManyChanges()
    const texts = recorded ? { changes: told, snapshot } : { changes: '', snapshot: '' }
    changes.push({ type, orgId, resourceId, projectId, ...texts })
  }
  return { emit, changes }
}

const noDifferences = {}
/** of its type and ids, in characters */
const fixedCharacters = 150

/** 412: the request would change more than one transaction can. */
export const tooManyChanges = () =>
  refused(
    `This would change more than ${mostChanges} things, or more than 12 MB of text, at once; do it in smaller parts`,
    'too_many_changes',
  )

/**
 * The resource after the change; for a deletion, before it. It omits a long text that the change did not touch, so that an edit
 * of another field does not store it again. It omits nothing if the type is whole, or if the resource came from another
 * project, which readers may not see.
 * @param changed the fields that an edit changed
 */
function snapshotOf(type: string, item: object, changed: object | undefined): object {
  if (storesFullSnapshot(type) || (changed && 'projectId' in changed)) return item
  if (!Object.values(item).some(isLong)) return item
  const shown = Object.entries(item).filter(([name, value]) => !isLong(value) || (changed && name in changed))
  return Object.fromEntries(shown)
}

/** Whether a snapshot has all texts: a reader never had a created resource, and may have dropped a deleted one. */
export const storesFullSnapshot = (type: string) => /\.(created|restored)$/.test(type)
