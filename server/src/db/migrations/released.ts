import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** One step of the schema's story. */
export interface Migration {
  /** of its file */
  name: string
  script: string
  /** of its text, whatever its lines end in: a migration that was released is never edited */
  hash: string
  /** whether its statements run one by one, each a transaction of its own, as `create index concurrently` needs it */
  outside: boolean
}

const released = new URL('../../../migrations/', import.meta.url)

/** All of them, in order. */
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
/** The statements of a script. A semicolon within quotes, of whatever kind, ends none. */
export const statementsOf = ({ script }: Migration): string[] =>
  (script.replace(/^--.*$/gm, '').match(/(?:\$(\w*)\$.*?\$\1\$|'[^']*'|"[^"]*"|--[^\n]*|[^;])+/gs) ?? [])
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** The words of a script, comments left out; what it is about is among them. */
export const wordsOf = ({ script }: Migration): string[] => [
  ...new Set(script.replace(/--.*$/gm, '').toLowerCase().match(/\w+/g)),
]
