import type pg from 'pg'
import { begin } from '../begin.ts'
import { type SearchWords, searchWordsOf } from '../search-words.ts'

/**
 * For the migration that brought postings, and after a change of `normalizeText`: posts the tasks that have none, some at a
 * time. What is edited meanwhile has another version, and is posted by that edit or by the job (jobs/catching-up.ts).
 */
export async function fillPostings(client: pg.Client): Promise<void> {
  let last = { org_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const { rows } = await client.query<typeof last & Task>(
      `select org_id, id, project_id, version, name, description, deleted_at is null as there from tasks
       where (org_id, id) > ($1, $2) and not (search @@ '''ς'':AB'::tsquery) order by org_id, id limit 500`,
      [last.org_id, last.id],
    )
    const end = rows.at(-1)
    if (!end) break
    last = end
    await postAll(client, rows)
  }
  await client.query(
    `insert into vocabulary (org_id, kind, project_id, word, id)
     select distinct on (org_id, project_id, word) org_id, kind, project_id, word, id from postings where kind = 1
     on conflict do nothing`,
  )
}

interface Task {
  org_id: string
  id: string
  project_id: string
  version: number
  name: string
  description: string | null
  there: boolean
}

/** A task that was edited since it was read keeps the postings of that edit. */
async function postAll(client: pg.Client, rows: readonly Task[]): Promise<void> {
  const tasks = rows.map((row) => ({ ...row, found: searchWordsOf([row.name, row.description]) }))
  await begin(client)
  try {
    const { rows: kept } = await client.query<{ id: string }>(
      `update tasks set search = setweight(to_tsvector('simple', made.first), made.weight::"char")
           || to_tsvector('simple', made.others), search_text = made.long
       from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[])
         as made (org_id, id, version, first, others, weight, long)
       where tasks.org_id = made.org_id and tasks.id = made.id and tasks.version = made.version
       returning tasks.id`,
      [
        tasks.map(({ org_id }) => org_id),
        tasks.map(({ id }) => id),
        tasks.map(({ version }) => version),
        tasks.map(({ found }) => found.first),
        tasks.map(({ found }) => found.others),
        tasks.map(({ found }) => found.weight),
        tasks.map(({ found }) => found.long),
      ],
    )
    const ids = new Set(kept.map(({ id }) => id))
    await writePostings(
      client,
      tasks.filter(({ id }) => ids.has(id)),
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Writes the postings of tasks, and takes away those of words that they no longer have. */
async function writePostings(client: pg.Client, tasks: readonly (Task & { found: SearchWords })[]): Promise<void> {
  const posted = tasks.map(({ found, there, ...row }) => ({ ...row, words: there ? found.posted : [] }))
  await client.query(
    `delete from postings using unnest($1::uuid[], $2::uuid[], $3::text[]) as posted (org_id, id, words)
     where postings.org_id = posted.org_id and postings.id = posted.id
       and strpos(posted.words, ' ' || postings.word || ' ') = 0`,
    [posted.map(({ org_id }) => org_id), posted.map(({ id }) => id), posted.map(({ words }) => ` ${words.join(' ')} `)],
  )
  const postings = posted.flatMap(({ words, ...row }) => words.map((word) => ({ ...row, word })))
  await client.query(
    `insert into postings (org_id, kind, word, project_id, id)
     select posted.org_id, 1, posted.word, posted.project_id, posted.id
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[]) as posted (org_id, word, project_id, id)
     on conflict do nothing`,
    [
      postings.map(({ org_id }) => org_id),
      postings.map(({ word }) => word),
      postings.map(({ project_id }) => project_id),
      postings.map(({ id }) => id),
    ],
  )
}
