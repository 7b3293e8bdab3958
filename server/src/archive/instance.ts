import { sql } from '../db/sql.ts'

/**
 * Identifies one database among all of the world, as `instance`: 12 hexadecimal digits. A standby that takes over keeps it; a
 * database that an archive was restored into has its own.
 */
export const instanceStatement = sql`
  select left(encode(sha256(convert_to(system_identifier || '/' || pg_database.oid, 'UTF8')), 'hex'), 12) as instance
  from pg_control_system(), pg_database where datname = current_database()`
