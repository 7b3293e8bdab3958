import { z } from 'zod'
import { type Caller, everyone } from '../../access/caller.ts'
import type { Loader } from '../../access/loader.ts'
import { seesProject } from '../../access/visibility.ts'
import { refused } from '../../contract/errors.ts'
import { Id, Name, Timestamp } from '../../contract/fields.ts'
import { type Columns, columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventNoun } from '../../events/event-type.ts'
import type { IncludeContext } from '../../lists/include.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { member } from '../member.ts'
import { removeFromProjects } from '../members/remove-from-projects.ts'
import { project, projectId } from '../project.ts'

const role = z.enum(['lead', 'contributor', 'viewer']).meta({
  description: 'Owners and admins of the organization always lead the project, no matter which role they were given.',
})

/** The role of a member of the organization in one project. */
export const ProjectMember = z
  .strictObject({
    memberId: Id,
    projectId: Id,
    name: Name.meta({ examples: ['Ann Example'] }),
    role,
    grantedRole: role.nullable().meta({
      description:
        'The role that was given in this project. It counts when the member is no longer an owner or admin. Null: no ' +
        'role was given.',
    }),
    version: z.int().min(1),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ProjectMember', description: 'A member of a project, with their role in it.' })
export type ProjectMember = z.output<typeof ProjectMember>

/** The events of project members. Owners and admins lead each project, with or without a membership. */
export const projectMemberEventNoun: EventNoun = {
  noun: 'project_member',
  schema: ProjectMember,
  tells: {
    created:
      '`resource.id` is the id of the member, and `projectId` the project. `version` is the sum of the version of ' +
      'the member and the version of the membership. The version of a membership starts at 1 and goes up with each update.',
    updated: 'If only the member changes, only the member has an event.',
  },
}

const leadsByRole = sql`members.role in ('owner', 'admin')`

const columns = (projectId: Sql): Columns =>
  columnsOf('members', ProjectMember, {
    shows: {
      ...{ memberId: sql`members.id`, projectId },
      role: sql`case when ${leadsByRole} then 'lead' else project_members.role end`,
      grantedRole: sql`project_members.role`,
      version: sql`coalesce(project_members.version, 0) + members.version`,
      createdAt: sql`coalesce(project_members.created_at, members.created_at)`,
      updatedAt: sql`greatest(project_members.updated_at, members.updated_at)`,
    },
  })

const from = ({ orgId }: Caller, projectId: Sql): Sql => sql`members
  left join project_members on project_members.org_id = members.org_id and project_members.member_id = members.id
    and project_members.project_id = ${projectId}
  where members.org_id = ${orgId} and members.deleted_at is null
    and (${leadsByRole} or project_members.member_id is not null)`

/** A member of a project that the caller sees; the caller's role is the one in that project. */
const projectMember: Loader<ProjectMember> = {
  belongsTo: 'project',
  ...(project.accepts && { acceptsWithin: project.accepts }),
  async load(db, caller, { ids, within = '', lock, fields }) {
    // lock the project alone, so that the rights of its members do not change during another write
    const [parent] = await project.load(db, caller, {
      ids: [within],
      lock: lock === 'none' ? 'none' : 'update',
      fields: ['id'],
    })
    if (parent === undefined) return []
    const { id } = parent.item
    const rows = await db.rows<ProjectMember>(sql`
      select ${columns(sql`${id}::uuid`).of(fields)} from ${from(caller, sql`${id}::uuid`)} and members.id = any(${ids})
      ${sql.lock(lock === 'none' ? 'none' : 'key share', sql`members`)}`)
    return rows.map((item) => ({ item, role: parent.role, archived: parent.archived ?? false }))
  },
}

export const projectMembers = [
  route('GET /projects/{id}/members', {
    name: 'projects.members.list',
    summary: 'List the members of a project',
    description: 'Sorted by name. Owners and admins of the organization are included.',
    roles: everyone,
    accepts: project.accepts,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(ProjectMember),
    handle: ({ db, caller, params, query }) => {
      const id = projectId(caller, params.id)
      const list = { columns: columns(id), from: from(caller, id), order: sql`members.name_key, members.id` }
      return offsetPage<ProjectMember>(db, { ...list, within: seesProject(caller, id) }, query)
    },
  }),

  route('POST /projects/{id}/members', {
    name: 'projects.members.add',
    summary: 'Add a member to a project',
    roles: everyone,
    target: project,
    needs: 'lead',
    body: z.strictObject({ memberId: Id, role }),
    references: { memberId: { to: member } },
    returns: ProjectMember,
    created: ({ projectId, memberId }) => `/projects/${projectId}/members/${memberId}`,
    constraints: { project_members_key: 'memberId' },
    emits: ['project_member.created'],
    async handle({ db, caller, target, body, emit, now }) {
      const added = await addToProject(db, caller, { projectId: target.id, ...body }, now)
      emit('project_member.created', added, { id: added.memberId })
      return added
    },
  }),

  route('GET /projects/{id}/members/{memberId}', {
    name: 'projects.members.get',
    summary: 'Get a member of a project',
    roles: everyone,
    target: projectMember,
    returns: ProjectMember,
    handle: ({ target }) => target,
  }),

  route('PATCH /projects/{id}/members/{memberId}', {
    name: 'projects.members.update',
    summary: 'Update a member of a project',
    description: 'Changes the role of the member in the project.',
    roles: everyone,
    target: projectMember,
    needs: 'lead',
    // wait for writes in the project
    lock: 'update',
    body: z.strictObject({ role }).partial(),
    returns: ProjectMember,
    emits: ['project_member.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      const explicit = await db.row(sql`
        update project_members set ${sql.set({ ...body, updatedAt: sql`greatest(updated_at, ${now})` })}, version = version + 1
        where ${explicitRow(caller, target)} returning member_id`)
      if (explicit === undefined) throw leadsByOrganization()
      const changed = await membershipNow(db, caller, target)
      emit('project_member.updated', changed, { id: target.memberId, before: target })
      return changed
    },
  }),

  route('DELETE /projects/{id}/members/{memberId}', {
    name: 'projects.members.remove',
    summary: 'Remove a member from a project',
    description: 'The member can still stop their own running timer there.',
    roles: everyone,
    target: projectMember,
    needs: 'lead',
    emits: ['project_member.deleted', 'member.updated'],
    async handle({ db, caller, target, emit }) {
      const left = await removeFromProjects(db, caller.orgId, target.memberId, explicitRow(caller, target))
      if (left === undefined) throw leadsByOrganization()
      emit('project_member.deleted', target, { id: target.memberId })
      // only its version changed
      emit('member.updated', left.member)
    },
  }),
]

/** The first members of each of these projects, by name. */
export async function membersOf({ db, caller: { orgId } }: IncludeContext, projectIds: string[], ofEach: number) {
  // find the owners and admins once for all projects
  const rows = await db.rows<ProjectMember>(sql`
    with leaders as materialized (
      select members.id from members where members.org_id = ${orgId} and members.deleted_at is null and ${leadsByRole})
    select listed.* from unnest(${projectIds}::uuid[]) asked (id)
    cross join lateral (
      select ${columns(sql`asked.id`)}, members.name_key from members
      left join project_members on project_members.org_id = ${orgId} and project_members.project_id = asked.id
        and project_members.member_id = members.id
      where members.org_id = ${orgId} and members.deleted_at is null and members.id in (
        select leaders.id from leaders
        union all
        select added.member_id from project_members added
        where added.org_id = ${orgId} and added.project_id = asked.id)
      order by members.name_key, members.id limit ${ofEach}) listed
    order by listed.name_key, listed."memberId"`)
  return rows.map(({ name_key, ...one }: ProjectMember & { name_key?: string }) => ({ of: one.projectId, one }))
}

/** Gives a member a role in a project. */
export async function addToProject(
  db: Db,
  caller: Caller,
  membership: Pick<ProjectMember, 'projectId' | 'memberId' | 'role'>,
  now: string,
): Promise<ProjectMember> {
  await db.rows(sql`
    insert into project_members ${sql.values({ orgId: caller.orgId, ...membership, createdAt: now, updatedAt: now })}`)
  return membershipNow(db, caller, membership)
}

async function membershipNow(
  db: Db,
  caller: Caller,
  { projectId, memberId }: Pick<ProjectMember, 'projectId' | 'memberId'>,
) {
  const id = sql`${projectId}::uuid`
  const row = await db.row<ProjectMember>(sql`
    select ${columns(id)} from ${from(caller, id)} and members.id = ${memberId}`)
  return expected(row, 'A membership just written')
}

/** Condition: the membership of a member who is not an owner or admin. */
const explicitRow = ({ orgId }: Caller, { projectId, memberId }: ProjectMember): Sql => sql`
  project_members.org_id = ${orgId} and project_members.project_id = ${projectId}
  and project_members.member_id = ${memberId} and not exists (
    select from members where members.org_id = ${orgId} and members.id = ${memberId} and ${leadsByRole})`

const leadsByOrganization = () =>
  refused(
    'Owners and admins of the organization lead every project; change their role in the organization instead',
    'leads_by_organization',
  )
