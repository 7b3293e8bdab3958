import type pg from 'pg'
import { atOnce } from '../at-once.ts'
import { foldingTexts, mayBeLong, type Texts } from '../lexemes.ts'
import { normalizeText } from '../normalize-text.ts'

const noId = '00000000-0000-0000-0000-000000000000'
const batch = 500

/** Computes name keys again and stores those that differ, for a migration after a change of `normalizeText`. */
export async function recomputeNameKeys(client: pg.Client): Promise<void> {
  for (const table of await tablesWithNameKeys(client)) {
    await inBatches<{ name: string }>(
      client,
      // the normalization of ASCII has never changed
      `select org_id, id, name from ${table} where (org_id, id) > ($1, $2) and octet_length(name) > char_length(name)`,
      (rows) => [
        `update ${table} set name_key = made.name_key
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as made (org_id, id, name, name_key)
         where ${table}.org_id = made.org_id and ${table}.id = made.id and ${table}.name = made.name
           and ${table}.name_key is distinct from made.name_key`,
        rows.map(({ name }) => name),
        rows.map(({ name }) => normalizeText(name)),
      ],
    )
  }
}

/** By table, the texts by which search finds its rows. */
const foundBy = {
  tasks: ['name', 'description'],
  projects: ['name', 'description', 'key'],
  subtasks: ['name'],
  comments: ['body'],
  time_entries: ['description'],
  members: ['name'],
  tags: ['name'],
  task_types: ['name'],
} as const

/** Computes the lexemes of all rows that have none, for the migration that introduced them. */
export async function computeLexemes(client: pg.Client): Promise<void> {
  for (const [table, texts] of Object.entries(foundBy)) {
    const long = mayBeLong(texts)
    await inBatches<{ texts: Texts }>(
      client,
      `select org_id, id, json_build_object(${texts.map((text) => `'${text}', ${text}`).join(', ')}) as texts from ${table}
       where (org_id, id) > ($1, $2) and lexemes is null and coalesce(${texts.join(', ')}) is not null`,
      (rows) => {
        const made = rows.map(({ org_id, texts }) => atOnce(foldingTexts(org_id, texts)))
        return [
          `update ${table} set lexemes = made.lexemes::tsvector${long ? ', long_text = made.long_text' : ''}
           from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as made (org_id, id, lexemes, long_text)
           where ${table}.org_id = made.org_id and ${table}.id = made.id`,
          made.map(({ lexemes }) => lexemes),
          made.map(({ longText }) => longText),
        ]
      },
    )
  }
}

interface Row {
  org_id: string
  id: string
}

/** @param update builds the statement that stores the computed values, and its third and fourth parameters */
async function inBatches<Read>(
  client: pg.Client,
  select: string,
  update: (rows: readonly (Row & Read)[]) => [statement: string, ...parameters: (string | null)[][]],
): Promise<void> {
  let last = { org_id: noId, id: noId }
  for (;;) {
    const { rows } = await client.query<Row & Read>(`${select} order by org_id, id limit ${batch}`, [
      last.org_id,
      last.id,
    ])
    const end = rows.at(-1)
    if (end === undefined) return
    last = end
    const [statement, ...computed] = update(rows)
    await client.query(statement, [rows.map(({ org_id }) => org_id), rows.map(({ id }) => id), ...computed])
  }
}

/** The tables that exist now: a migration cannot know tables of later ones. */
async function tablesWithNameKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'name_key' and not attisdropped
    order by relname`)
  return rows.map(({ name }) => name)
}
