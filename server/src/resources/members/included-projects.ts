import { leadsAll, memberships } from '../../access/visibility.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { type IncludeContext, includable } from '../../lists/include.ts'
import { firstOf } from '../../lists/parts.ts'
import { Member } from '../member.ts'
import { BriefProject } from '../project.ts'

/** The projects that a request can include beside a member. */
export const besideMember = includable<Member>(Member, 'A member', {
  projects: firstOf({
    schema: BriefProject,
    onPage: 1_000,
    order: 'The projects of this member that you can see, newest first',
    rest: 'True if there are more. Use `GET /projects?memberId=` to get all.',
    find: projectsOf,
  }),
})

const columns = columnsOf('projects', BriefProject)

/**
 * For owners and admins, this starts from the memberships of the members. For others, it starts from the projects that
 * they see, so that it reads no membership of another project.
 */
async function projectsOf({ db, caller }: IncludeContext, memberIds: string[], ofEach: number) {
  const { orgId } = caller
  const rows = await db.rows<BriefProject & { of: string }>(
    leadsAll(caller)
      ? sql`
        select asked.id as of, listed.* from unnest(${memberIds}::uuid[]) asked (id)
        cross join lateral (
          select ${columns} from project_members
          cross join lateral (
            select * from projects where projects.org_id = ${orgId} and projects.id = project_members.project_id offset 0) projects
          where project_members.org_id = ${orgId} and project_members.member_id = asked.id and projects.deleted_at is null
          order by project_members.project_id desc limit ${ofEach}) listed
        order by listed.id desc`
      : sql`
        with mine as materialized (${memberships(caller)}),
        shared as (
          select added.of, mine.project_id as id, row_number() over (partition by added.of order by mine.project_id desc) as ordinal
          from mine
          cross join lateral (
            select project_members.member_id as of from project_members
            where project_members.org_id = ${orgId} and project_members.project_id = mine.project_id
              and project_members.member_id = any(${memberIds}) offset 0) added)
        select shared.of, ${columns} from shared
        cross join lateral (select * from projects where projects.org_id = ${orgId} and projects.id = shared.id offset 0) projects
        where shared.ordinal <= ${ofEach} order by projects.id desc`,
  )
  return rows.map(({ of, ...one }) => ({ of, one }))
}
