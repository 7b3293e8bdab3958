import type pg from 'pg'
import { momentBetween } from '../as-of.ts'
import { longText, normalizeText, searchWords } from '../normalize-text.ts'
import { fillPostings } from './fill-postings.ts'

/** Columns that are computed from the texts of a row. */
interface Derived<Read> {
  table: string
  /** SQL: the text that they are computed from */
  read: string
  /** SQL condition: rows whose columns may differ now */
  which: string
  /** by column, how it is computed */
  columns: Record<string, (read: Read) => string | null>
  /** SQL: how the computed text of a column is stored */
  stored?: (made: string, column: string) => string
}

// how ASCII is normalized has never changed
const notAscii = (text: string) => `octet_length(${text}) > char_length(${text})`

const nameKeysOf = (table: string): Derived<string> => {
  return { table, read: 'name', which: notAscii('name'), columns: { name_key: normalizeText } }
}

const stored = (made: string, column: string) => (column === 'search' ? `to_tsvector('simple', ${made})` : made)

interface Texts {
  name: string
  description: string | null
}

const texts = { table: 'tasks', read: "json_build_object('name', name, 'description', description)" }

const words: Derived<Texts> = {
  ...texts,
  which: notAscii("concat_ws(' ', name, description)"),
  columns: { search: searchWords },
  stored,
}

const phrases: Derived<Texts> = {
  ...texts,
  which: 'description is not null',
  columns: { search: searchWords, search_text: (task) => longText(searchWords(task)) },
  stored,
}

/** For a migration after a change of `normalizeText`: computes name keys and search words again, and stores what differs. */
export async function renormalize(client: pg.Client): Promise<void> {
  for (const table of await tablesWithNameKeys(client)) await recompute(client, nameKeysOf(table))
  await recompute(client, words)
  if (await isThere(client, 'postings')) await fillPostings(client)
  if (await isThere(client, 'search_fills')) {
    await takeUpAll(client)
    // lists that were answered before are outdated: names may come in another order
    await client.query('update event_counters set changed_at = $1, changed_sequence = last_sequence', [
      momentBetween(Date.now()),
    ])
  }
}

async function isThere(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  return rows[0]?.there === true
}

/** Lets the job that follows the log take up all things anew (resources/search/following.ts). */
const takeUpAll = (client: pg.Client) =>
  client.query(`
    insert into search_fills (org_id, kind, before)
    select search_positions.org_id, kinds.kind, 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    from search_positions cross join (values (2), (3), (4), (5)) as kinds (kind)
    on conflict (org_id, kind) do update set before = excluded.before`)

/** The tables that exist by now: a migration knows nothing of those that come after it. */
async function tablesWithNameKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'name_key' and not attisdropped
    order by relname`)
  return rows.map(({ name }) => name)
}

/** For the migration that brought the search for phrases: computes its columns for each task with a description. */
export const computePhrases = (client: pg.Client): Promise<void> => recompute(client, phrases)

async function recompute<Read>(
  client: pg.Client,
  { table, read, which, columns, stored = (made) => made }: Derived<Read>,
) {
  const names = Object.keys(columns)
  const made = names.map((name) => stored(`made.${name}`, name))
  let last = { org_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const { rows } = await client.query<typeof last & { version: number; read: Read }>(
      `select org_id, id, version, ${read} as read from ${table}
       where (org_id, id) > ($1, $2) and ${which} order by org_id, id limit 500`,
      [last.org_id, last.id],
    )
    const end = rows.at(-1)
    if (!end) return
    last = end
    await client.query(
      `update ${table} set ${names.map((name, i) => `${name} = ${made[i]}`).join(', ')}
       from unnest($1::uuid[], $2::uuid[], $3::integer[], ${names.map((_, i) => `$${i + 4}::text[]`).join(', ')})
         as made (org_id, id, version, ${names.join(', ')})
       where ${table}.org_id = made.org_id and ${table}.id = made.id and ${table}.version = made.version
         and (${names.map((name, i) => `${table}.${name} is distinct from ${made[i]}`).join(' or ')})`,
      [
        rows.map((row) => row.org_id),
        rows.map((row) => row.id),
        // a row that is edited in the meantime has another version, and is computed by that edit
        rows.map((row) => row.version),
        ...Object.values(columns).map((make) => rows.map((row) => make(row.read))),
      ],
    )
  }
}
