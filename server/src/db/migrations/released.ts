import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** One migration of the schema. */
export interface Migration {
  /** of its file */
  name: string
  script: string
  /** of its text, independent of line endings: a released migration is never edited */
  hash: string
  /** whether each statement runs in its own transaction, as `create index concurrently` needs */
  outside: boolean
}

const released = new URL('../../../migrations/', import.meta.url)

/** All migrations, in order. */
export async function allMigrations(folder: URL = released): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async (name) => migration(name, await readFile(new URL(name, folder), 'utf8'))))
}

function migration(name: string, text: string): Migration {
  const script = text.replaceAll('\r\n', '\n')
  const hash = createHash('sha256').update(script).digest('hex')
  return { name, script, hash, outside: /^-- outside a transaction\b/.test(script) }
}

// bounded: by the scripts, which are ours
/** The statements of a script. A semicolon within quotes of any kind does not end a statement. */
export const statementsOf = ({ script }: Migration): string[] =>
  (script.replace(/^--.*$/gm, '').match(/(?:\$(\w*)\$.*?\$\1\$|'[^']*'|"[^"]*"|--[^\n]*|[^;])+/gs) ?? [])
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** The words of a script without its comments. The names of its tables and indexes are among them. */
export const wordsOf = ({ script }: Migration): string[] => [
  ...new Set(script.replace(/--.*$/gm, '').toLowerCase().match(/\w+/g)),
]
