import type { Db } from '../db/db.ts'
import { nilId } from '../db/ids.ts'
import type { Database, Transaction } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * The organizations with something to do, without those that are deleted.
 * @param due the rows with which there is something to do, found by an index that begins with org_id:
 *   sql`tags where tags.org_id = organizations.org_id and tags.deleted_at < ${before}`
 */
export async function organizationsWith(db: Db, ...due: Sql[]): Promise<Set<string>> {
  // offset 0 makes PostgreSQL ask for each organization by itself: one of them may have very many such rows
  const found = new Set<string>()
  for (const rows of due) {
    for (let last: string | undefined = nilId; last !== undefined; ) {
      const page: { orgId: string }[] = await db.rows(sql`
        select organizations.org_id as "orgId" from organizations
        where organizations.org_id > ${last} and organizations.deleted_since is null and exists (select from ${rows} offset 0)
        order by organizations.org_id limit ${pageSize}`)
      for (const { orgId } of page) found.add(orgId)
      last = page.length < pageSize ? undefined : page.at(-1)?.orgId
    }
  }
  return found
}

/** The organizations of a small table, each row of which is something to do, without those that are deleted. */
export async function organizationsIn(db: Db, table: Sql): Promise<string[]> {
  const due = await db.rows<{ orgId: string }>(sql`
    select distinct organizations.org_id as "orgId" from ${table}
    join organizations on organizations.org_id = ${table}.org_id and organizations.deleted_since is null`)
  return due.map(({ orgId }) => orgId)
}

/** What stands for the organization in what is kept for the operator. */
export const noOrganization = nilId

const pageSize = 1_000

/**
 * A transaction of a job in an organization; none where that is deleted by now. Until it is committed, nothing of the
 * organization is taken away behind it.
 */
export const inOrganization = (
  db: Database,
  orgId: string,
  work: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> => db.transaction(async (tx) => (await isThere(tx, orgId)) && work(tx))

/** Whether an organization is not deleted. What is written in this transaction is written before it is taken away. */
export async function isThere(tx: Transaction, orgId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select org_id from organizations where org_id = ${orgId} and deleted_since is null for key share`)
  return row !== undefined
}
