import { type Sql, sql } from '../db/sql.ts'

/**
 * A kind of things that are found by their words. To declare a further one, where its resource lives:
 *
 * 1. Its table has `org_id`, `id`, `project_id`, `deleted_at` and `search tsvector not null default ''`. Say
 *    `export const foundTasks: Kind = { number: 1, table: 'tasks', texts: ['name', 'description'] }` under a number that no other
 *    kind has, name it among the `kinds` of resources/index.ts, and say `isSearchable: true` in the declaration of the table, so that
 *    a purge takes the postings with the row.
 * 2. Each write that sets a text also sets `searchColumns(kind, words)` of `foldedTexts(orgId, texts)` (resources/folded-texts.ts),
 *    and sends `post(db, kind, orgId, id, words)` right behind it, without waiting for the row first; a restore too. A removal sends `unpost`.
 * 3. Three partial indexes as those of tasks in 0053_tasks_without_postings.sql, for rows that no postings find. A migration
 *    need not fill anything: rows whose `search` is empty are posted by the job (jobs/catching-up.ts), which
 *    looks for the last of these indexes, and are found without postings until then.
 * 4. `idsFound(kind, caller, query, wanted)` is the query of the ids that `parsed(q)` finds, newest first.
 */
export interface Kind {
  /** what its postings bear: never another one */
  number: number
  table: string
  /** the table that keeps its words, where `table` is a view that joins it */
  words?: string
  /** the columns of its texts, the name first */
  texts: readonly string[]
  /** the column that names the project, where it is not project_id: of projects their id */
  projectColumn?: string
  /** whether it has `search_text`, for phrases in texts so long that a tsvector does not keep all places */
  longTexts?: boolean
}

/** SQL: the table. */
export const tableOf = ({ table }: Kind): Sql => sql.named(table)

/** SQL: the project of a row. */
export const projectOf = (kind: Kind): Sql => sql`${tableOf(kind)}.${sql.named(kind.projectColumn ?? 'project_id')}`

/** SQL: the number. A text of the statement, for plans that know it. */
export const numberOf = ({ number }: Kind): Sql => sql.literal(number)

/** SQL condition: postings find the row. What a server of the version before writes does not hold that, nor a long text. */
export const isPosted = (kind: Kind): Sql => sql`${tableOf(kind)}.search @@ '''ς'':A'::tsquery`

/** SQL condition: a server of this version wrote what finds the row. */
export const isKnown = (kind: Kind): Sql => sql`${tableOf(kind)}.search @@ '''ς'':AB'::tsquery`
