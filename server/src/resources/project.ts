import { z } from 'zod'
import type { Caller, ProjectRole } from '../access/caller.ts'
import type { Loader } from '../access/loader.ts'
import { lockProject } from '../access/locks.ts'
import { leadsAll, present } from '../access/visibility.ts'
import { Color, Day, Name, resource, text } from '../contract/fields.ts'
import { type Columns, columnsOf } from '../db/columns.ts'
import { type Sql, sql } from '../db/sql.ts'
import { table } from '../db/table.ts'

// no id matches this
const keyForm = /^[A-Z][A-Z0-9]{1,9}$/

/** Work that belongs together, and the people who see it. */
export const Project = resource('Project', 'Tasks that belong together, and the members who see them.', {
  name: Name,
  key: z
    .string()
    .regex(keyForm, 'Must be 2 to 10 capital letters and digits, starting with a letter')
    .meta({
      description: 'The start of the keys of its tasks, such as WEB-12. Unique in the organization. Cannot be changed.',
      maxLength: 10,
      examples: ['WEB'],
    }),
  description: text(0, 20_000).nullable(),
  color: Color.nullable(),
  status: z.enum(['active', 'archived']),
  startDate: Day.nullable(),
  dueDate: Day.nullable(),
})
export type Project = z.output<typeof Project>

/** The table of projects. */
export const storedProjects = table('projects', Project, {
  noun: 'project',
  nameKey: true,
  tells: {
    deleted:
      'Everything in the project is hidden with it, without further events. Running timers in the project were ' +
      'stopped first.',
    restored:
      'Everything that was hidden with the project is visible again. Each change to an item of the project while the ' +
      'project was deleted has its own event.',
    archived:
      'A project was archived. It accepts no more writes. Running timers in the project were stopped, and each of ' +
      'them has its own event.',
    unarchived: 'A project was unarchived. It accepts writes again.',
  },
  joins: { project_members: { projectId: 'projects', memberId: 'members' } },
  foundBy: ['name', 'description', 'key'],
})

/** A project without its long text, for the resources that include it. */
export const BriefProject = Project.omit({ description: true }).meta({
  id: 'BriefProject',
  description: 'A project without its description.',
})
export type BriefProject = z.output<typeof BriefProject>

const byIdOrKey = <Item>(columns: Columns): Loader<Item> => ({
  belongsTo: 'project',
  accepts: keyForm,
  async load(db, caller, { ids, lock, deleted, fields }) {
    const [key = ''] = ids
    const named = keyForm.test(key) ? sql`projects.key = ${key}` : sql`projects.id = any(${ids})`
    const inIt = sql`project_members.org_id = ${caller.orgId}
      and project_members.project_id = projects.id and project_members.member_id = ${caller.memberId}`
    // look up the role for each project: in a free join, the planner could read all projects of the caller for each
    const member =
      lock === 'none'
        ? sql`cross join lateral (select project_members.role from project_members where ${inIt} offset 0) project_members`
        : sql`join project_members on ${inIt}`
    const rows = await db.rows<Item & { projectRole: ProjectRole; archived: boolean }>(sql`
      select ${columns.of(fields)}, projects.status = 'archived' as archived,
        ${leadsAll(caller) ? sql`'lead'` : sql`project_members.role`} as "projectRole"
      from projects ${leadsAll(caller) ? sql.empty : member}
      where projects.org_id = ${caller.orgId} and ${present(sql`projects`, deleted)}
        and ${lockProject(lock, named)}
      ${deleted ? sql`order by projects.deleted_at desc, projects.id desc` : sql.empty}
      ${sql.lock(lock, sql`projects`)} ${leadsAll(caller) || lock === 'none' ? sql.empty : sql`for share of project_members`}`)
    return rows.map(({ projectRole, archived, ...item }) => ({
      item: item as unknown as Item,
      role: projectRole,
      archived,
    }))
  },
})

/**
 * A project that the caller sees, by its id or (in a path) by its key. Owners and admins see all projects, others the
 * projects that they are a member of. If several deleted projects had the key, the one deleted last comes first.
 */
export const project = byIdOrKey<Project>(storedProjects.columns)

/** A project in brief, by its id or key. */
export const briefProject = byIdOrKey<BriefProject>(columnsOf('projects', BriefProject))

const NumberingProject = Project.pick({ id: true, key: true }).extend({ lastTaskNumber: z.int() })
export type NumberingProject = z.output<typeof NumberingProject>

/** The last task number of a project. The caller must lock the row until the number of the new task is committed. */
export const numberingProject = byIdOrKey<NumberingProject>(columnsOf('projects', NumberingProject))

/**
 * SQL: the id of a project that a path names by its id or its key. A key finds no deleted project, and is null if there
 * is none.
 */
export const projectId = ({ orgId }: Caller, idOrKey: string): Sql =>
  keyForm.test(idOrKey)
    ? sql`(select projects.id from projects
        where projects.org_id = ${orgId} and projects.key = ${idOrKey} and projects.deleted_at is null)`
    : sql`${idOrKey}::uuid`
