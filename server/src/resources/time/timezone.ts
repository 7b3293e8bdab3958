import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * A time zone in the spelling of the IANA database, sent in any case. An alias stays as it is: Node would turn
 * Asia/Kolkata into Asia/Calcutta. PostgreSQL calculates with the time zone, and may know fewer of them than this
 * server.
 * @returns null and undefined unchanged
 * @throws 422
 */
export async function canonicalTimezone<Named extends string | null | undefined>(
  db: Db,
  timezone: Named,
): Promise<Named> {
  if (!timezone) return timezone
  const known = await db.row<{ name: Named }>(sql`
    select name from pg_timezone_names where lower(name) = ${timezone.toLowerCase()} limit 1`)
  if (known === undefined)
    throw invalid({ timezone: ['The database does not know this time zone; use an IANA name such as Europe/Berlin'] })
  return known.name
}
