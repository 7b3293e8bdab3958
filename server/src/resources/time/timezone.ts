import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * A time zone in the spelling of the IANA database, whatever case it was sent in. An alias stays as it is: Node would turn
 * Asia/Kolkata into Asia/Calcutta. PostgreSQL calculates with it, and may know fewer time zones than this server.
 * @returns null and undefined as they are
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
