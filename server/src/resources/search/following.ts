import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import type { SearchWords } from '../../db/search-words.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { numberOf } from '../../search/kind.ts'
import { foldedTexts } from '../folded-texts.ts'
import { mostPendingBytes } from './finding.ts'
import { type Followed, followed, kindOfEvent } from './kinds.ts'

/**
 * What finds subtasks, comments, projects and time follows the log of events: so no write costs more, and what servers of
 * other versions write is found as well. What was there before the log was followed is taken up in between, newest first.
 */

/** Condition: there is something to follow, or to take up, in an organization. */
export const isBehind: readonly Sql[] = [
  sql`event_counters where event_counters.org_id = organizations.org_id and event_counters.last_sequence > coalesce((
    select search_positions.sequence from search_positions where search_positions.org_id = organizations.org_id), -1)`,
  sql`search_fills where search_fills.org_id = organizations.org_id`,
]

/** What a turn comes to. */
interface Turn {
  /** whether more may be left */
  more: boolean
  /** whether searches may find what they did not: what was taken up, and changes that were too many or too long to be compared with */
  foundOtherwise: boolean
}

/**
 * Follows the log for some events, and takes up some of what was there before.
 * @param tx one transaction: the words and how far they came change together
 * @param batch events, and things of each kind, at most
 */
export async function followLog(tx: Db, orgId: string, batch: number): Promise<Turn> {
  const position = await tx.row<{ sequence: number; latest: number }>(sql`
    select search_positions.sequence, (
      select event_counters.last_sequence from event_counters where event_counters.org_id = ${orgId}) as latest
    from search_positions where search_positions.org_id = ${orgId} for update`)
  if (position === undefined) {
    await begin(tx, orgId)
    return { more: true, foundOtherwise: false }
  }
  const following = await tx.rows<{ sequence: number; type: string; id: string }>(sql`
    select sequence, type, resource_id as id from events
    where org_id = ${orgId} and sequence > ${position.sequence} order by sequence limit ${batch}`)
  const ofKind = (events: typeof following, name: string) => [
    ...new Set(events.filter(({ type }) => kindOfEvent(type) === name).map(({ id }) => id)),
  ]
  const lengths = new Map<string, number>()
  for (const [name, kind] of Object.entries(followed))
    for (const [id, bytes] of await lengthsOf(tx, orgId, kind, ofKind(following, name))) lengths.set(id, bytes)
  const events = fitting(following, lengths)
  const more = events.length === batch || events.length < following.length
  const next = events[0]?.sequence ?? position.latest + 1
  // the log has no gaps: what is missing was removed before it was followed
  if (next > position.sequence + 1) await takeUpAll(tx, orgId)
  for (const [name, kind] of Object.entries(followed)) await keepWords(tx, orgId, kind, ofKind(events, name))
  const sequence = events.at(-1)?.sequence ?? position.latest
  if (sequence > position.sequence)
    await tx.rows(sql`update search_positions set sequence = ${sequence} where org_id = ${orgId}`)
  const isFilling = await fill(tx, orgId, batch)
  // more texts than are compared for pending changes are one long text, or were cut, and then more is left
  const wasTooMuch = more || events.some(({ id }) => (lengths.get(id) ?? 0) > mostPendingBytes)
  return { more: more || isFilling, foundOtherwise: wasTooMuch || isFilling }
}

/** From now on the log is followed: from its first event where that is kept, else from its last one. */
async function begin(tx: Db, orgId: string): Promise<void> {
  const begun = await tx.row<{ whole: boolean }>(sql`
    insert into search_positions (org_id, sequence)
    select event_counters.org_id, case when log.whole then 0 else event_counters.last_sequence end
    from event_counters cross join lateral (
      select event_counters.last_sequence = 0 or exists (
        select from events where events.org_id = ${orgId} and events.sequence = 1) as whole) log
    where event_counters.org_id = ${orgId}
    on conflict do nothing returning sequence = 0 as whole`)
  if (begun?.whole === false) await takeUpAll(tx, orgId)
}

/** What is there is taken up, whatever was before. */
async function takeUpAll(tx: Db, orgId: string): Promise<void> {
  for (const { kind } of Object.values(followed)) {
    await tx.rows(sql`
      insert into search_fills (org_id, kind, before) values (${orgId}, ${numberOf(kind)}, ${aboveAll})
      on conflict (org_id, kind) do update set before = excluded.before`)
  }
}

const aboveAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Takes up the next things of each kind. @returns whether more may be left */
async function fill(tx: Db, orgId: string, batch: number): Promise<boolean> {
  const fills = await tx.rows<{ kind: number; before: string }>(sql`
    select kind, before from search_fills where org_id = ${orgId}`)
  for (const { kind: number, before } of fills) {
    const kind = expected(
      Object.values(followed).find(({ kind }) => kind.number === number),
      'A kind that is taken up',
    )
    const { table } = kind
    const all = await tx.rows<{ id: string }>(sql`
      select ${table}.id from ${table} where ${table}.org_id = ${orgId} and ${table}.id < ${before}
      order by ${table}.id desc limit ${batch}`)
    const ids = all.map(({ id }) => id)
    const rows = fitting(all, await lengthsOf(tx, orgId, kind, ids))
    await keepWords(tx, orgId, kind, ids.slice(0, rows.length))
    const last = rows.at(-1)
    await tx.rows(
      (rows.length === batch || rows.length < all.length) && last
        ? sql`update search_fills set before = ${last.id} where org_id = ${orgId} and kind = ${numberOf(kind.kind)}`
        : sql`delete from search_fills where org_id = ${orgId} and kind = ${numberOf(kind.kind)}`,
    )
  }
  return fills.length > 0
}

/** How long the texts of these things are, in bytes. */
async function lengthsOf(tx: Db, orgId: string, { kind, table }: Followed, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, number>()
  const each = kind.texts.map((name) => sql`coalesce(octet_length(${table}.${sql.named(name)}), 0)`)
  const rows = await tx.rows<{ id: string; bytes: number }>(sql`
    select ${table}.id, ${sql.join(each, ' + ')} as bytes from ${table}
    where ${table}.org_id = ${orgId} and ${table}.id = any(${ids})`)
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/**
 * The first of some things whose texts are not too long for one transaction; one at least. To fold a megabyte of the characters
 * that become longest, and to store it, may take longer than a transaction.
 */
function fitting<Thing extends { id: string }>(
  things: readonly Thing[],
  lengths: ReadonlyMap<string, number>,
): Thing[] {
  let bytes = 0
  return things.filter(({ id }, i) => {
    bytes += lengths.get(id) ?? 0
    return i === 0 || bytes <= mostPendingBytes
  })
}

/** Keeps what finds these things as their texts are now, deleted or not: they may be restored with what they belong to. */
async function keepWords(tx: Db, orgId: string, followed: Followed, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { kind, table } = followed
  const columns = kind.texts.map((name) => sql`${table}.${sql.named(name)}`)
  const rows = await tx.rows<{ id: string; texts: (string | null)[] }>(sql`
    select ${table}.id, array[${sql.join(columns, ', ')}] as texts from ${table}
    where ${table}.org_id = ${orgId} and ${table}.id = any(${ids})`)
  const withTexts = rows.filter(({ texts }) => texts.some(Boolean))
  const kept = new Set(withTexts.map(({ id }) => id))
  let made: Made[] = []
  let letters = 0
  for (const { id, texts } of withTexts) {
    const words = await foldedTexts(orgId, texts)
    made.push({ id, ...words })
    letters += words.first.length + words.others.length
    if (letters < mostLetters) continue
    // folded, a character may be eighteen: what waits in memory stays small, and requests come in between
    await writeWords(tx, orgId, followed, made, [])
    made = []
    letters = 0
  }
  await writeWords(
    tx,
    orgId,
    followed,
    made,
    ids.filter((id) => !kept.has(id)),
  )
}

type Made = SearchWords & { id: string }

const mostLetters = 250_000

/** @param wordless what has no texts any more */
async function writeWords(
  tx: Db,
  orgId: string,
  { kind, table, projectId }: Followed,
  made: readonly Made[],
  wordless: readonly string[],
): Promise<void> {
  const words = sql.named(kind.words)
  const postings = made.flatMap(({ id, posted }) => posted.map((word) => ({ id, word })))
  const kept = made.map(({ id }) => id)
  const ids = [...kept, ...wordless]
  const posted = sql`unnest(${postings.map(({ id }) => id)}::uuid[], ${postings.map(({ word }) => word)}::text[])
    as posted (id, word)`
  await Promise.all([
    tx.rows(sql`delete from ${words} where org_id = ${orgId} and id = any(${wordless})`),
    tx.rows(sql`
      insert into ${words} (org_id, id, search, search_text)
      select ${table}.org_id, ${table}.id,
        setweight(to_tsvector('simple', made.first), made.weight::"char") || to_tsvector('simple', made.others), made.long
      from ${table} join unnest(${kept}::uuid[], ${made.map(({ first }) => first)}::text[],
          ${made.map(({ weight }) => weight)}::text[], ${made.map(({ others }) => others)}::text[],
          ${made.map(({ long }) => long)}::text[]) as made (id, first, weight, others, long) on made.id = ${table}.id
      where ${table}.org_id = ${orgId}
      on conflict (org_id, id) do update set search = excluded.search, search_text = excluded.search_text`),
    tx.rows(sql`
      delete from postings using ${table}
      where postings.org_id = ${orgId} and postings.id = any(${ids}) and ${table}.org_id = ${orgId}
        and ${table}.id = postings.id and (postings.project_id <> ${projectId} or not exists (
          select from ${posted} where posted.id = postings.id and posted.word = postings.word))`),
    tx.rows(sql`
      insert into postings (org_id, kind, word, project_id, id)
      select ${table}.org_id, ${numberOf(kind)}, posted.word, ${projectId}, ${table}.id
      from ${table} join ${posted} on posted.id = ${table}.id where ${table}.org_id = ${orgId}
      on conflict do nothing`),
    tx.rows(sql`
      insert into vocabulary (org_id, kind, project_id, word, id)
      select distinct on (${projectId}, posted.word)
        ${table}.org_id, ${numberOf(kind)}, ${projectId}, posted.word, ${table}.id
      from ${table} join ${posted} on posted.id = ${table}.id
      where ${table}.org_id = ${orgId} and not exists (
        select from vocabulary where vocabulary.org_id = ${orgId} and vocabulary.kind = ${numberOf(kind)}
          and vocabulary.project_id = ${projectId} and vocabulary.word = posted.word)
      on conflict do nothing`),
  ])
}
