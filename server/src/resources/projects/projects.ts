import { z } from 'zod'
import { admins, type Caller, everyone, withoutMe } from '../../access/caller.ts'
import { leadsAll, seesProject } from '../../access/visibility.ts'
import { dueNotBeforeStart, refuseIfDueBeforeStart } from '../../contract/across-fields.ts'
import { refused } from '../../contract/errors.ts'
import { searched, severalIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import type { Db } from '../../db/db.ts'
import { normalizeText } from '../../db/normalize-text.ts'
import { sql } from '../../db/sql.ts'
import { includable } from '../../lists/include.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { firstOf, valuePerItem } from '../../lists/parts.ts'
import { route } from '../../operations/route.ts'
import { takeOffBoards } from '../board/stage-tasks.ts'
import { Progress, progressOf } from '../progress.ts'
import { Project, project, storedProjects } from '../project.ts'
import { settleRestoredProject } from '../time/policies.ts'
import { stopRunning } from '../time/time-writes.ts'
import { timeConstraints } from '../time-entry.ts'
import { restoreRoute } from '../trash.ts'
import { freeProjectKey } from './free-key.ts'
import { addToProject, membersOf, ProjectMember } from './members.ts'

const besideProject = includable<Project>(Project, 'A project', {
  progress: valuePerItem(Progress, nothing(), ({ db, caller, now }, ids) => progressOf(db, caller, ids, now)),
  members: firstOf({
    schema: ProjectMember,
    onPage: 1_000,
    order: 'The members of the project by name',
    rest: 'True if there are more. Use `GET /projects/{id}/members` to get all.',
    find: membersOf,
  }),
})

/** The progress of a project that was deleted in the meantime. */
function nothing(): Progress {
  const counts = { todo: 0, doing: 0, done: 0, offBoard: 0, overdue: 0 }
  return { ...counts, estimatedSeconds: 0, trackedSeconds: 0 }
}

const { name, key, description, color, startDate, dueDate } = Project.shape

const ProjectChanges = z
  .strictObject({ name, description, color, startDate, dueDate })
  .partial()
  .refine(...dueNotBeforeStart)

const NewProject = z
  .strictObject({
    name,
    key: key.optional(),
    ...z.strictObject({ description, color, startDate, dueDate }).partial().shape,
  })
  .refine(...dueNotBeforeStart)

const constraints = { projects_key: 'key' }

const visible = (caller: Caller) => sql`projects.org_id = ${caller.orgId} and projects.deleted_at is null
  and ${leadsAll(caller) ? sql`true` : seesProject(caller, sql`projects.id`)}`

export const projects = [
  route('GET /projects', {
    name: 'projects.list',
    summary: 'List projects',
    description: 'Newest first.',
    roles: everyone,
    query: z.strictObject({
      ...offsetQuery,
      memberId: severalIds(['me'], {
        description: 'Only projects that one of these members was added to. `me` stands for you.',
        means: '',
      }).optional(),
      status: z.enum(['active', 'archived']).optional().meta({ description: 'Only projects with this status.' }),
      q: searched
        .optional()
        .meta({ description: 'Only projects with this text in the name or the key. Case does not matter.' }),
      include: besideProject.include,
    }),
    returns: offsetPageOf(besideProject.Full),
    async handle(asked) {
      const { db, caller, query } = asked
      const ofMember =
        query.memberId &&
        sql`projects.id in (select project_id from project_members
        where org_id = ${caller.orgId} and ${isAnyOf(sql`member_id`, withoutMe(caller, query.memberId))})`
      const status = query.status && sql`projects.status = ${query.status}`
      const named =
        query.q &&
        sql`(strpos(projects.name_key, ${normalizeText(query.q)}) > 0 or strpos(lower(projects.key), ${normalizeText(query.q)}) > 0)`
      const from = sql`projects where ${sql.all(visible(caller), ofMember, status, named)}`
      const order = sql`projects.created_at desc, projects.id desc`
      const page = await offsetPage<Project>(db, { columns: storedProjects.columns, from, order }, query)
      return besideProject.inPage(asked, page)
    },
  }),

  route('POST /projects', {
    name: 'projects.create',
    summary: 'Create a project',
    description: 'You become a lead of the project.',
    roles: admins,
    body: NewProject,
    returns: Project,
    created: ({ id }) => `/projects/${id}`,
    constraints,
    emits: ['project.created', 'project_member.created'],
    async handle({ db, caller, body, emit, now }) {
      const { orgId, memberId } = caller
      // one project at a time, so that a derived key is still free when it is stored
      await db.rows(sql`select org_id from organizations where org_id = ${orgId} for no key update`)
      const own = { ...body, key: body.key ?? (await freeProjectKey(db, orgId, body.name)) }
      const created = await storedProjects.insert(db, orgId, own, now)
      const lead = await addToProject(db, caller, { projectId: created.id, memberId, role: 'lead' }, now)
      emit('project.created', created)
      emit('project_member.created', lead, { id: memberId })
      return created
    },
  }),

  route('GET /projects/{id}', {
    name: 'projects.get',
    summary: 'Get a project',
    description: 'You can use its id or its key, such as WEB.',
    roles: everyone,
    target: project,
    query: z.strictObject({ include: besideProject.includeInItem }),
    returns: besideProject.Full,
    handle: (asked) => besideProject.inItem(asked, asked.target),
  }),

  route('PATCH /projects/{id}', {
    name: 'projects.update',
    summary: 'Update a project',
    roles: everyone,
    target: project,
    needs: 'lead',
    body: ProjectChanges,
    returns: Project,
    emits: ['project.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      refuseIfDueBeforeStart({ ...target, ...body })
      const { name, description, key } = target
      const changed = await storedProjects.update(db, caller.orgId, target.id, { name, description, key, ...body }, now)
      emit('project.updated', changed, { before: target })
      return changed
    },
  }),

  route('POST /projects/{id}/archive', {
    name: 'projects.archive',
    summary: 'Archive a project',
    description: 'The project stays readable and accepts no more writes. Running timers in it are stopped.',
    roles: everyone,
    target: project,
    needs: 'lead',
    // wait for writes in the project
    lock: 'update',
    evenArchived: true,
    returns: Project,
    emits: ['time_entry.updated', 'project.archived'],
    async handle({ db, caller, target, emit, now }) {
      if (target.status === 'archived') throw refused('The project is already archived', 'project_archived')
      await stopRunning({ db, caller, emit, now }, sql`time_entries.project_id = ${target.id}`)
      const archived = await storedProjects.update(db, caller.orgId, target.id, { status: 'archived' }, now)
      emit('project.archived', archived, { before: target })
      return archived
    },
  }),

  route('POST /projects/{id}/unarchive', {
    name: 'projects.unarchive',
    summary: 'Unarchive a project',
    description: 'The project accepts writes again.',
    roles: everyone,
    target: project,
    needs: 'lead',
    evenArchived: true,
    returns: Project,
    emits: ['project.unarchived'],
    async handle({ db, caller, target, emit, now }) {
      if (target.status !== 'archived') throw refused('The project is not archived', 'project_not_archived')
      const active = await storedProjects.update(db, caller.orgId, target.id, { status: 'active' }, now)
      emit('project.unarchived', active, { before: target })
      return active
    },
  }),

  route('DELETE /projects/{id}', {
    name: 'projects.delete',
    summary: 'Delete a project',
    description:
      'Everything in the project disappears at once, even finalized subtasks and locked time. Running timers in it ' +
      'are stopped.',
    roles: admins,
    target: project,
    evenArchived: true,
    emits: ['time_entry.updated', 'project.deleted'],
    async handle({ db, caller, target, emit, now }) {
      await stopRunning({ db, caller, emit, now }, sql`time_entries.project_id = ${target.id}`)
      await storedProjects.remove(db, caller.orgId, target.id, now)
      emit('project.deleted', target)
    },
  }),

  restoreRoute(storedProjects, {
    name: 'projects.restore',
    target: project,
    description:
      'You can restore a project for 30 days, with everything that was deleted with it. The server refuses this if ' +
      'a stage with a limit has no room left for its tasks. It also refuses if time entries must not overlap and ' +
      'new ones now overlap those of the project. Tasks whose stage was deleted meanwhile come back without a ' +
      'stage, up to 9,999. If there are more, restore these stages first. If several deleted projects had the same ' +
      'key, the key names the one deleted last.',
    constraints: { ...constraints, ...timeConstraints },
    evenArchived: true,
    emits: ['task.moved'],
    // a task whose stage was deleted meanwhile returns off the board; the other stages stay locked until it is back
    async before({ db, caller, target: { id }, emit, now }) {
      const { orgId } = caller
      await settleRestoredProject({ db, caller, now }, id)
      await db.rows(sql`
        select stages.id from stages where stages.org_id = ${orgId} and stages.id in (
          select tasks.stage_id from tasks where tasks.org_id = ${orgId} and tasks.project_id = ${id})
        order by stages.id for share of stages`)
      await refuseIfOverfull(db, orgId, id)
      const stageless = sql`tasks.org_id = ${orgId} and tasks.project_id = ${id} and tasks.deleted_at is null
        and tasks.stage_id in (
          select stages.id from stages where stages.org_id = ${orgId} and stages.deleted_at is not null)`
      await takeOffBoards({ db, orgId, emit, now }, stageless)
    },
  }),
]

/** @throws 412 when other tasks took the places on a board of the organization, so that a stage would exceed its limit */
async function refuseIfOverfull(db: Db, orgId: string, projectId: string): Promise<void> {
  const stage = await db.row<{ name: string; wipLimit: number }>(sql`
    select stages.name, stages.wip_limit as "wipLimit" from stages
    join tasks on tasks.org_id = ${orgId} and tasks.stage_id = stages.id
    join projects on projects.org_id = ${orgId} and projects.id = tasks.project_id
    where stages.org_id = ${orgId} and stages.project_id is null and stages.wip_limit is not null
      and stages.deleted_at is null and tasks.deleted_at is null
      and (projects.deleted_at is null or projects.id = ${projectId})
    group by stages.id, stages.name, stages.wip_limit
    having bool_or(projects.id = ${projectId}) and count(*) > stages.wip_limit
    order by stages.id limit 1`)
  if (stage) throw refused(`The stage ${stage.name} can hold at most ${stage.wipLimit} tasks`, 'stage_full')
}
