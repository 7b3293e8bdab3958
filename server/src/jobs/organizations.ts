import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * The organizations with something to do.
 * @param due the rows with which there is something to do, found by an index that begins with org_id:
 *   sql`tags where tags.org_id = organizations.org_id and tags.deleted_at < ${before}`
 */
export async function organizationsWith(db: Db, ...due: Sql[]): Promise<Set<string>> {
  // offset 0 makes PostgreSQL ask for each organization by itself: one of them may have very many such rows
  const found = new Set<string>()
  for (const rows of due) {
    for (let last: string | undefined = nil; last !== undefined; ) {
      const page: { orgId: string }[] = await db.rows(sql`
        select organizations.org_id as "orgId" from organizations
        where organizations.org_id > ${last} and exists (select from ${rows} offset 0)
        order by organizations.org_id limit ${pageSize}`)
      for (const { orgId } of page) found.add(orgId)
      last = page.length < pageSize ? undefined : page.at(-1)?.orgId
    }
  }
  return found
}

const nil = '00000000-0000-0000-0000-000000000000'

/** What stands for the organization in what is kept for the operator. */
export const noOrganization = nil

const pageSize = 1_000
