import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { UsageProblem } from './command.ts'

/**
 * Finds an active member whose organization exists.
 * @param org default: the only organization @param email default: the first owner
 */
export async function activeMember(db: Database, org: string | undefined, email: string | undefined) {
  const holders = await db.rows<{ orgId: string; id: string; orgName: string; email: string }>(sql`
    select members.org_id as "orgId", members.id, organizations.name as "orgName", members.email from members
    join organizations on organizations.org_id = members.org_id
    where members.status = 'active' and members.deleted_at is null and organizations.deleted_since is null
      and (${org ?? null}::text is null or members.org_id::text = ${org?.toLowerCase() ?? null})
      and (members.email = ${email?.toLowerCase() ?? null} or ${email ?? null}::text is null and members.role = 'owner')
    order by members.org_id, members.id limit 100`)
  const [holder] = holders
  if (holder === undefined)
    throw new UsageProblem('There is no such member. Check the organization and the e-mail address.')
  if (holders.some(({ orgId }) => orgId !== holder.orgId)) {
    const list = [...new Set(holders.map(({ orgId, orgName }) => `  ${orgId}  ${orgName}`))].join('\n')
    throw new UsageProblem(`There are several organizations. Choose one with --org:\n${list}`)
  }
  return holder
}
