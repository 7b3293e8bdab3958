import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Member, storedMembers } from '../member.ts'

/**
 * Removes a member from projects. It raises the version of the member by the highest version of these memberships. So a
 * member who is added again never has an earlier ETag.
 * @param which condition: the memberships
 * @returns the number of memberships and the changed member; undefined when there was no membership
 */
export async function removeFromProjects(
  db: Db,
  orgId: string,
  memberId: string,
  which: Sql = sql`true`,
): Promise<{ count: number; member: Member } | undefined> {
  const row = await db.row<Member & { count: number }>(sql`
    with removed as (
      delete from project_members where org_id = ${orgId} and member_id = ${memberId} and ${which} returning version)
    update members set version = version + (select max(version) from removed)
    where org_id = ${orgId} and id = ${memberId} and exists (select from removed)
    returning ${storedMembers.columns}, (select count(*)::int from removed) as count`)
  if (row === undefined) return undefined
  const { count, ...member } = row
  return { count, member }
}
