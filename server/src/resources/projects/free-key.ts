import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { normalizeText } from '../../db/normalize-text.ts'
import { sql } from '../../db/sql.ts'

/**
 * A key for a project that was created without one: `WEB`, or with the first free number, `WEB2`. A deleted project
 * keeps its key, because it may be restored.
 * @throws 422 when none is free
 */
export async function freeProjectKey(db: Db, orgId: string, projectName: string): Promise<string> {
  const start = startOfKey(projectName)
  const rows = await db.rows<{ key: string }>(sql`
    select key from projects where org_id = ${orgId} and starts_with(key, ${start})`)
  const taken = new Set(rows.map(({ key }) => key))
  if (!taken.has(start)) return start
  // after four letters, a key has room for six digits
  for (let number = 2; number <= 999_999; number++) if (!taken.has(`${start}${number}`)) return `${start}${number}`
  throw invalid({ key: ['Required, because all keys that start like the name are taken'] })
}

/** The start of such a key: the initials of the name, or the first letters of a single word. */
export function startOfKey(projectName: string): string {
  const words =
    normalizeText(projectName)
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? []
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '')
  const wanted = letters.replace(/^[0-9]+/, '').slice(0, 4)
  return wanted.length >= 2 ? wanted : `${wanted}PROJ`.slice(0, 4)
}
