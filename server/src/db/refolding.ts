import type pg from 'pg'
import { fold, searchWords } from './folding.ts'

/** What is kept of a text: in which column, as what the text becomes. `stored`: SQL of `folded`. */
interface Kept {
  table: string
  text: string
  column: string
  folded(text: string): string
  stored: string
}

const keys: Kept[] = ['members', 'projects', 'workspaces', 'stages', 'task_types', 'tags'].map((table) => ({
  ...{ table, text: 'name', column: 'name_key' },
  ...{ folded: fold, stored: 'folded' },
}))

const words: Kept = {
  ...{ table: 'tasks', text: "concat_ws(' ', name, description)", column: 'search' },
  ...{ folded: (name) => searchWords({ name }), stored: "to_tsvector('simple', folded)" },
}

/** For a migration that follows a change of how text is folded: what is kept of it is made anew where it differs. */
export async function foldAnew(client: pg.Client): Promise<void> {
  for (const kept of [...keys, words]) await anew(client, kept)
}

async function anew(client: pg.Client, { table, text, column, folded, stored }: Kept): Promise<void> {
  let last = { org_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    // ASCII has never been folded in more than one way
    const { rows } = await client.query<typeof last & { text: string }>(
      `select org_id, id, ${text} as text from ${table}
       where (org_id, id) > ($1, $2) and octet_length(${text}) > char_length(${text}) order by org_id, id limit 1000`,
      [last.org_id, last.id],
    )
    const end = rows.at(-1)
    if (!end) return
    last = end
    await client.query(
      `update ${table} set ${column} = ${stored} from unnest($1::uuid[], $2::uuid[], $3::text[]) as made (org_id, id, folded)
       where ${table}.org_id = made.org_id and ${table}.id = made.id and ${column} <> ${stored}`,
      [rows.map((row) => row.org_id), rows.map((row) => row.id), rows.map((row) => folded(row.text))],
    )
  }
}
