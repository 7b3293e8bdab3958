import type { Db } from '../db/db.ts'
import { nilId } from '../db/ids.ts'
import type { Database, Transaction } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * Finds the organizations with work to do. It skips deleted organizations.
 * @param due rows that need work, served by an index that begins with org_id:
 *   sql`tags where tags.org_id = organizations.org_id and tags.deleted_at < ${before}`
 */
export async function organizationsWith(db: Db, ...due: Sql[]): Promise<Set<string>> {
  // offset 0 makes PostgreSQL probe each organization separately: one of them may have very many such rows
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

/** The organizations with rows in a small table of pending work, without deleted organizations. */
export async function organizationsIn(db: Db, table: Sql): Promise<string[]> {
  const due = await db.rows<{ orgId: string }>(sql`
    select distinct organizations.org_id as "orgId" from ${table}
    join organizations on organizations.org_id = ${table}.org_id and organizations.deleted_since is null`)
  return due.map(({ orgId }) => orgId)
}

/** Stands in for the organization in rows that belong to the operator. */
export const noOrganization = nilId

const pageSize = 1_000

/**
 * Runs a job's work in a transaction of an organization. Until the commit, nobody else can delete the organization's row.
 * @returns false without calling `work` if the organization is already deleted
 */
export const inOrganization = (
  db: Database,
  orgId: string,
  work: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> => db.transaction(async (tx) => (await organizationExists(tx, orgId)) && work(tx))

/** Whether an organization is not deleted. Until this transaction ends, nobody can delete its row. */
export async function organizationExists(tx: Transaction, orgId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select org_id from organizations where org_id = ${orgId} and deleted_since is null for key share`)
  return row !== undefined
}
