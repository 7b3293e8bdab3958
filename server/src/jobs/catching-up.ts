import { changedWithoutEvent } from '../db/as-of.ts'
import type { Db } from '../db/db.ts'
import { normalizeText } from '../db/normalize-text.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Declared } from '../db/table.ts'
import { foldedTexts } from '../resources/folded-texts.ts'
import { kinds, tables } from '../resources/index.ts'
import { isKnown, type Kind, tableOf } from '../search/kind.ts'
import { post, searchColumns } from '../search/postings.ts'
import type { Job, Run } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'

/** While servers of the previous version also run: adds the columns that they do not write to the rows that they write. */
export const catchingUp: Job = { name: 'catching-up', everyMs: 60_000, run: (run) => catchUp(run) }

/** @param batch rows of an organization at a time; each may be a long text to be normalized */
export async function catchUp({ db, inEach }: Run, batch = 20): Promise<void> {
  const due = await organizationsWith(
    db,
    sql`api_keys where api_keys.org_id = organizations.org_id and ${lackMaker}`,
    ...kinds.map(
      (kind) => sql`${tableOf(kind)} where ${tableOf(kind)}.org_id = organizations.org_id and ${lacksPostings(kind)}`,
    ),
    ...withNameKey.map(
      ({ table }) => sql`${table} where ${table}.org_id = organizations.org_id and ${isFoldedAsBefore}`,
    ),
    sql`event_counters where event_counters.org_id = organizations.org_id and ${lackMoment}`,
  )
  await inEach(due, (orgId) =>
    inOrganization(db, orgId, async (tx) => {
      let more = await nameMakers(tx, orgId, batch)
      for (const table of withNameKey) await renewNameKeys(tx, orgId, table)
      for (const kind of kinds) more ||= await postThings(tx, orgId, kind, batch)
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

// the previous version folds й, ў, ї, ѓ and ќ to и, у, і, г and к; the indexes in 0072_letters_with_marks.sql say the same
const isFoldedAsBefore = sql`name_key !~ '[йўїѓќ]'
  and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\\u0300-\\u036f]*\\u0306|[Іі][\\u0300-\\u036f]*\\u0308|[ГгКк][\\u0300-\\u036f]*\\u0301'`

const withNameKey = tables.filter(({ nameKey }) => nameKey)

// by table, where a name is unique
const uniqueAmong: Record<string, Sql> = {
  stages: sql`other.workspace_id = stages.workspace_id`,
  tags: sql`true`,
  task_types: sql`true`,
}

/** A row keeps its key while another row has the new one: servers of two versions made two names. */
async function renewNameKeys(db: Db, orgId: string, { name: tableName, table }: Declared): Promise<void> {
  const rows = await db.rows<{ id: string; name: string }>(sql`
    select id, name from ${table} where org_id = ${orgId} and ${isFoldedAsBefore}`)
  for (const { id, name } of rows) {
    const nameKey = normalizeText(name)
    const isFree = sql`not (deleted_at is null and exists (
      select from ${table} other where other.org_id = ${orgId} and other.name_key = ${nameKey}
        and other.deleted_at is null and ${uniqueAmong[tableName] ?? sql`false`}))`
    await db.rows(sql`
      update ${table} set name_key = ${nameKey}
      where org_id = ${orgId} and id = ${id} and name = ${name} and ${isFree}`)
  }
}

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

// the previous version does not know of postings, nor of the mark that says so
const lacksPostings = (kind: Kind) => sql`${tableOf(kind)}.deleted_at is null and not (${isKnown(kind)})`

/** What finds things of a kind. @returns whether more may be left */
async function postThings(db: Db, orgId: string, kind: Kind, batch: number): Promise<boolean> {
  const table = tableOf(kind)
  const texts = sql.join(kind.texts.map(sql.named), ', ')
  // what it posts is not taken out of the vocabulary meanwhile: see jobs/vocabulary.ts
  await db.rows(sql`select from search_positions where search_positions.org_id = ${orgId} for update`)
  const things = await db.rows<{ id: string; version: number; texts: (string | null)[] }>(sql`
    select id, version, array[${texts}] as texts from ${table} where org_id = ${orgId} and ${lacksPostings(kind)}
    order by id limit ${batch}`)
  for (const { id, version, texts } of things) {
    const words = await foldedTexts(orgId, texts)
    // what is edited in the meantime has another version, and is posted by that edit
    const [row] = await db.rows(sql`
      update ${table} set ${sql.set({ ...searchColumns(kind, words) })}
      where org_id = ${orgId} and id = ${id} and version = ${version} returning id`)
    if (row) await post(db, kind, orgId, id, words)
  }
  return things.length === batch
}
