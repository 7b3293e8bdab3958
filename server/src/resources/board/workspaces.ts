import { z } from 'zod'
import { admins, everyone } from '../../access/caller.ts'
import { leadsAll, seesShared, sharedOrInProject } from '../../access/visibility.ts'
import { forbidden, refused } from '../../contract/errors.ts'
import { Color, Id, Name, onlyIfValid, resource, searched, severalIds, text } from '../../contract/fields.ts'
import { isAnyOfOrNone } from '../../db/any-of.ts'
import { columnsOf } from '../../db/columns.ts'
import { normalizeText } from '../../db/normalize-text.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { project } from '../project.ts'
import { momentOfRemoval, removeBelow, restoreBelow, restoreRoute } from '../trash.ts'
import { positionGap } from './order.ts'
import { insertStage } from './stage.ts'

/** A board: stages in order. Tasks move through them. */
export const Workspace = resource('Workspace', 'A board: stages in order, which tasks move through.', {
  projectId: Id.nullable().meta({
    description:
      'The project of the workspace. Null: all projects of the organization can use it. It cannot be changed.',
  }),
  name: Name.meta({ examples: ['Board'] }),
  description: text(0, 20_000).nullable(),
  color: Color.nullable(),
})
export type Workspace = z.output<typeof Workspace>

const { projectId, name, description, color } = Workspace.shape
const NewWorkspace = z.strictObject({
  name,
  projectId: projectId.optional(),
  description: description.optional(),
  color: color.optional(),
  stages: z
    .array(Name)
    .max(50, 'Must have at most 50 items')
    .refine((names) => new Set(names.map(normalizeText)).size === names.length, {
      error: 'Must not contain a name twice',
      ...onlyIfValid,
    })
    .optional()
    .meta({
      description: 'The names of the first stages, in order. Without them, the workspace has no stages.',
      uniqueItems: true,
    }),
})
const WorkspaceChanges = z.strictObject({ name, description, color }).partial()

/** The table of workspaces. */
export const storedWorkspaces = table('workspaces', Workspace, {
  noun: 'workspace',
  nameKey: true,
  tells: {
    deleted: 'Its stages are hidden with it, without further events.',
    restored:
      'Everything that was hidden with the workspace is restored, too. Each restored item gets its next version. The ' +
      'updatedAt of these items is the createdAt of this event.',
  },
  refersTo: { projectId: 'projects' },
})

/** A workspace that the caller sees. */
export const workspace = sharedOrInProject(storedWorkspaces)

/** A workspace without its long text, for the resources that include it. */
export const BriefWorkspace = Workspace.omit({ description: true }).meta({
  id: 'BriefWorkspace',
  description: 'A workspace without its description.',
})
export type BriefWorkspace = z.output<typeof BriefWorkspace>

/** A workspace that the caller sees, in brief. */
export const briefWorkspace = sharedOrInProject<BriefWorkspace>({
  table: sql`workspaces`,
  columns: columnsOf('workspaces', BriefWorkspace),
})

export const workspaces = [
  route('GET /workspaces', {
    name: 'workspaces.list',
    summary: 'List workspaces',
    description: 'Sorted by name.',
    roles: everyone,
    query: z.strictObject({
      ...offsetQuery,
      projectId: severalIds(['none'], {
        description: 'A project, or `none` for workspaces of the whole organization.',
      }).optional(),
      q: searched
        .optional()
        .meta({ description: 'Only workspaces with this text in the name. Case and accents do not matter.' }),
    }),
    returns: offsetPageOf(Workspace),
    handle: ({ db, caller, query }) => {
      const ofProject = query.projectId && isAnyOfOrNone(sql`workspaces.project_id`, query.projectId)
      const named = query.q && sql`strpos(workspaces.name_key, ${normalizeText(query.q)}) > 0`
      const from = sql`workspaces where ${sql.all(seesShared(caller, sql`workspaces`), ofProject, named)}`
      const order = sql`workspaces.name_key, workspaces.id`
      return offsetPage<Workspace>(db, { columns: storedWorkspaces.columns, from, order }, query)
    },
  }),

  route('POST /workspaces', {
    name: 'workspaces.create',
    summary: 'Create a workspace',
    description: 'You can create its first stages in the same request.',
    roles: everyone,
    body: NewWorkspace,
    references: { projectId: { to: project, needs: 'lead' } },
    cases: [{ when: 'without `projectId`', roles: admins }],
    returns: Workspace,
    created: ({ id }) => `/workspaces/${id}`,
    emits: ['workspace.created', 'stage.created'],
    async handle({ db, caller, body: { stages = [], ...own }, emit, now }) {
      if (!own.projectId && !leadsAll(caller)) {
        throw forbidden('Only owners and admins can create a workspace for the whole organization', 'missing_role')
      }
      const created = await storedWorkspaces.insert(db, caller.orgId, own, now)
      emit('workspace.created', created)
      for (const [index, stage] of stages.entries()) {
        emit(
          'stage.created',
          await insertStage(db, caller.orgId, created, { name: stage, position: (index + 1) * positionGap }, now),
        )
      }
      return created
    },
  }),

  route('GET /workspaces/{id}', {
    name: 'workspaces.get',
    summary: 'Get a workspace',
    roles: everyone,
    target: workspace,
    returns: Workspace,
    handle: ({ target }) => target,
  }),

  route('PATCH /workspaces/{id}', {
    name: 'workspaces.update',
    summary: 'Update a workspace',
    roles: everyone,
    target: workspace,
    needs: 'lead',
    body: WorkspaceChanges,
    returns: Workspace,
    emits: ['workspace.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      const changed = await storedWorkspaces.update(db, caller.orgId, target.id, body, now)
      emit('workspace.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /workspaces/{id}', {
    name: 'workspaces.delete',
    summary: 'Delete a workspace',
    description:
      'The stages of the workspace are deleted with it. The server refuses this if the workspace still contains tasks.',
    roles: everyone,
    target: workspace,
    needs: 'lead',
    // not a stronger lock: a move locks its stage or task before the key of this row, and would deadlock
    lock: 'no key update',
    emits: ['workspace.deleted'],
    async handle({ db, caller: { orgId }, target, emit, now }) {
      // wait for writes that enter one of its stages
      await db.rows(sql`
        select id from stages where org_id = ${orgId} and workspace_id = ${target.id} and deleted_at is null
        order by id for no key update`)
      const held = await db.row(sql`
        select tasks.id from tasks join projects on projects.org_id = tasks.org_id and projects.id = tasks.project_id
        where tasks.org_id = ${orgId} and tasks.workspace_id = ${target.id} and tasks.deleted_at is null
          and projects.deleted_at is null limit 1`)
      if (held) throw refused('The workspace still contains tasks; move or delete them first', 'workspace_holds_tasks')
      const stages = sql`stages.workspace_id = ${target.id}`
      const moment = await momentOfRemoval(db, orgId, now, [sql`stages`, stages])
      await removeBelow(db, sql`stages`, orgId, stages, moment)
      await storedWorkspaces.remove(db, orgId, target.id, moment)
      emit('workspace.deleted', target)
    },
  }),

  restoreRoute(storedWorkspaces, {
    name: 'workspaces.restore',
    target: workspace,
    before: ({ db, caller: { orgId }, target: { id }, now }) =>
      restoreBelow(db, sql`stages`, { table: sql`workspaces`, orgId, id }, sql`stages.workspace_id = ${id}`, now),
  }),
]
