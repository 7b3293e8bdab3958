import { restorableMs } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { UsageProblem } from './command.ts'

/** An organization as the operator sees it. */
export interface StoredOrganization {
  id: string
  name: string
  createdAt: string
  deletedSince: string | null
  erasureBegunAt: string | null
}

/** The columns of a stored organization. */
export const storedOrganization: Sql = sql`organizations.org_id as id, organizations.name,
  organizations.created_at as "createdAt", organizations.deleted_since as "deletedSince",
  organizations.erasure_begun_at as "erasureBegunAt"`

/** Reads an organization. @throws UsageProblem if there is none with this id */
export async function organizationOf(db: Db, id: string): Promise<StoredOrganization> {
  const found = await db.row<StoredOrganization>(sql`
    select ${storedOrganization} from organizations where org_id::text = ${id.toLowerCase()}`)
  if (found === undefined) throw new UsageProblem(`There is no organization ${id}.`)
  return found
}

/** Whether an organization is active, deleted (can be restored) or being erased. */
export function stateOf({ deletedSince, erasureBegunAt }: StoredOrganization): string {
  if (deletedSince === null) return 'active'
  if (erasureBegunAt !== null || Date.parse(deletedSince) + restorableMs <= Date.now()) return 'being erased'
  return 'deleted'
}

/** The time until which a deleted organization can be restored; null for any other. */
export const restorableUntil = (organization: StoredOrganization): string | null =>
  organization.deletedSince !== null && stateOf(organization) === 'deleted'
    ? new Date(Date.parse(organization.deletedSince) + restorableMs).toISOString()
    : null
