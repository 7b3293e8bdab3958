import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * A time zone as the IANA database spells it, whatever the case that it was sent in. It stays the name that was meant:
 * Node would make Asia/Calcutta of Asia/Kolkata. PostgreSQL reckons in it, and may know fewer than this server.
 * @returns the same where nothing is named
 * @throws 422
 */
export async function canonicalTimezone<Named extends string | null | undefined>(
  db: Db,
  timezone: Named,
): Promise<Named> {
  if (!timezone) return timezone
  const known = await db.row<{ name: Named }>(sql`
    select name from pg_timezone_names where lower(name) = ${timezone.toLowerCase()} limit 1`)
  if (known === undefined) throw invalid({ timezone: ['The database does not know this time zone'] })
  return known.name
}
