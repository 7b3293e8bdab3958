import type { Db } from '../db/db.ts'
import type { SearchWords } from '../db/search-words.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Kind, numberOf, projectOf, tableOf } from './kind.ts'

/** What a thing is found by, as its row keeps it. */
export function searchColumns(
  kind: Kind,
  { first, others, weight, long }: SearchWords,
): { search: Sql; searchText?: string | null } {
  const search = sql`setweight(to_tsvector('simple', ${first}), ${weight}::"char") || to_tsvector('simple', ${others})`
  return kind.longTexts ? { search, searchText: long } : { search }
}

/**
 * Keeps the postings of a thing as its texts are: it writes what differs. To be sent right behind what writes the row, and
 * waited for with it.
 * @param before whether it may have postings of another text
 */
export async function post(
  db: Db,
  kind: Kind,
  orgId: string,
  id: string,
  { posted }: SearchWords,
  { before = true } = {},
): Promise<void> {
  const statements = before ? [withdrawing(orgId, id, posted)] : []
  if (posted.length > 0) statements.push(adding(kind, orgId, id, posted), learning(kind, orgId, id, posted))
  await Promise.all(statements.map((statement) => db.rows(statement)))
}

/** Takes the postings of a thing away: it is removed. */
export const unpost = (db: Db, orgId: string, id: string): Promise<unknown> => db.rows(withdrawing(orgId, id, []))

const withdrawing = (orgId: string, id: string, left: readonly string[]): Sql => sql`
  delete from postings where org_id = ${orgId} and id = ${id} and word <> all(${left}::text[])`

function adding(kind: Kind, orgId: string, id: string, words: readonly string[]): Sql {
  return sql`
    insert into postings (org_id, kind, word, project_id, id)
    select ${tableOf(kind)}.org_id, ${numberOf(kind)}, posted.word, ${projectOf(kind)}, ${tableOf(kind)}.id
    ${each(kind, orgId, id, words)} on conflict do nothing`
}

/** Two who bring the same word to a project at once both do, and neither waits for the other. */
function learning(kind: Kind, orgId: string, id: string, words: readonly string[]): Sql {
  return sql`
    insert into vocabulary (org_id, kind, project_id, word, id)
    select ${tableOf(kind)}.org_id, ${numberOf(kind)}, ${projectOf(kind)}, posted.word, ${tableOf(kind)}.id
    ${each(kind, orgId, id, words)} and not exists (
      select from vocabulary where vocabulary.org_id = ${orgId} and vocabulary.kind = ${numberOf(kind)}
        and vocabulary.project_id = ${projectOf(kind)} and vocabulary.word = posted.word)
    on conflict do nothing`
}

const each = (kind: Kind, orgId: string, id: string, words: readonly string[]): Sql => sql`
  from ${tableOf(kind)} cross join unnest(${words}::text[]) as posted (word)
  where ${tableOf(kind)}.org_id = ${orgId} and ${tableOf(kind)}.id = ${id}`
