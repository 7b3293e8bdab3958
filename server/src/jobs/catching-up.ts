import { changedWithoutEvent } from '../db/as-of.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { searchable } from '../resources/tasks/search.ts'
import type { Job, Run } from './job.ts'
import { organizationsWith } from './organizations.ts'

/** While servers of the previous version also run: adds the columns that they do not write to the rows that they write. */
export const catchingUp: Job = { name: 'catching-up', everyMs: 60_000, run: (run) => catchUp(run) }

/** @param batch rows of an organization at a time; each may be a long text to be normalized */
export async function catchUp({ db, inEach }: Run, batch = 20): Promise<void> {
  const due = await organizationsWith(
    db,
    sql`api_keys where api_keys.org_id = organizations.org_id and ${lackMaker}`,
    sql`tasks where tasks.org_id = organizations.org_id and ${lackPhrases}`,
    sql`event_counters where event_counters.org_id = organizations.org_id and ${lackMoment}`,
  )
  await inEach(due, (orgId) =>
    db.forTenant(orgId).transaction(async (tx) => {
      const more = (await nameMakers(tx, orgId, batch)) || (await keepPhrases(tx, orgId, batch))
      // what was found before is found otherwise now; and what lacked the moment of its last write has one
      tx.send(changedWithoutEvent(orgId))
      return more
    }),
  )
}

// the previous version counts events, and does not say when
const lackMoment = sql`event_counters.changed_sequence <> event_counters.last_sequence`

// a key made by the previous version has the column's default, which this version never writes
const lackMaker = sql`api_keys.made_until = '-infinity'`

/** Who made a key, and until when, from the event that tells of it. @returns whether more may be left */
async function nameMakers(db: Db, orgId: string, batch: number): Promise<boolean> {
  const named = await db.rows(sql`
    with made as (
      select api_keys.id, events.actor_id, makers.id as actor_key_id,
        case when events.org_id is null then api_keys.expires_at
          else (events.snapshot ->> 'expiresAt')::timestamptz end as until
      from api_keys left join events on events.org_id = ${orgId} and events.resource_id = api_keys.id
        and events.type = 'api_key.created'
      left join api_keys makers on makers.org_id = ${orgId} and makers.id = events.actor_key_id
      where api_keys.org_id = ${orgId} and ${lackMaker} limit ${batch})
    update api_keys set created_by = made.actor_id, created_with = made.actor_key_id, made_until = made.until
    from made where api_keys.org_id = ${orgId} and api_keys.id = made.id and ${lackMaker}
    returning api_keys.id`)
  return named.length === batch
}

// the previous version puts no ς between name and description, and does not write search_text
const lackPhrases = sql`not search @@ 'ς'::tsquery and (description <> '' or search_text like '% ς %')`

/** What finds phrases in a task. @returns whether more may be left */
async function keepPhrases(db: Db, orgId: string, batch: number): Promise<boolean> {
  const tasks = await db.rows<{ id: string; version: number; name: string; description: string | null }>(sql`
    select id, version, name, description from tasks where org_id = ${orgId} and ${lackPhrases} order by id limit ${batch}`)
  for (const { id, version, ...texts } of tasks) {
    const { search, searchText } = searchable(texts)
    // a task that is edited in the meantime has another version, and is computed by that edit
    await db.rows(sql`
      update tasks set search = ${search}, search_text = ${searchText}
      where org_id = ${orgId} and id = ${id} and version = ${version}`)
  }
  return tasks.length === batch
}
