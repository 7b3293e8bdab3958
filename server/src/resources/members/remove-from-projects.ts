import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

/**
 * Removes a member from projects. The member's version is raised by the highest version of these memberships, so that a
 * member who is added again never has an ETag of before.
 * @param which condition: the memberships
 * @returns how many there were
 */
export async function removeFromProjects(
  db: Db,
  orgId: string,
  memberId: string,
  which: Sql = sql`true`,
): Promise<number> {
  const member = await db.row<{ count: number }>(sql`
    with removed as (
      delete from project_members where org_id = ${orgId} and member_id = ${memberId} and ${which} returning version)
    update members set version = version + (select max(version) from removed)
    where org_id = ${orgId} and id = ${memberId} and exists (select from removed)
    returning (select count(*)::int from removed) as count`)
  return member?.count ?? 0
}
