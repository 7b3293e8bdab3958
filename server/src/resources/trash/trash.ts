import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { inDeletedProject, present, restorableMs } from '../../access/visibility.ts'
import { Id, idsFilter, severalOf, Timestamp, text } from '../../contract/fields.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Position } from '../../lists/cursor.ts'
import { cursorPageOf, cursorQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'

/** The kinds of resources that can be restored. */
export const kinds = [
  ...(['task', 'subtask', 'comment', 'time_entry', 'project', 'workspace', 'stage'] as const),
  ...(['tag', 'task_type', 'member', 'webhook'] as const),
]
type DeletedKind = (typeof kinds)[number]

/** How many characters of a long text stand for a name. */
const longestName = 255

const DeletedItem = z
  .strictObject({
    kind: z.enum(kinds),
    id: Id,
    name: text(0, longestName)
      .nullable()
      .meta({
        description:
          'The name. For a comment or a time entry: the beginning of its text. For a webhook: its URL. Null for a time ' +
          'entry without a description.',
        pattern: '^[^\\u0000]*$',
      }),
    projectId: Id.nullable().meta({
      description: 'The project that it belongs to. For a project, the project itself.',
    }),
    deletedAt: Timestamp,
    deletedBy: Id.nullable().meta({
      description: 'The member who deleted it. Null: the operator, or its event is no longer stored.',
    }),
    restorableUntil: Timestamp.meta({ description: '30 days after it was deleted.' }),
  })
  .meta({ id: 'DeletedItem', description: 'A deleted resource that can be restored.' })
type DeletedItem = z.output<typeof DeletedItem>

export const trash = [
  route('GET /trash', {
    name: 'trash.list',
    summary: 'List deleted resources',
    description:
      'Lists what can be restored, newest deletion first. Restore an item with the `restore` operation of its ' +
      'kind, such as `POST /tasks/{id}/restore`. An item that was deleted together with its parent is not listed: ' +
      'it comes back with the parent. The contents of a deleted project are not listed until the project is ' +
      'restored. Revoked API keys and erased members cannot be restored, so they are never listed.',
    roles: admins,
    query: z.strictObject({
      kind: severalOf(z.enum(kinds), `one of ${kinds.join(', ')}`, {
        ...{ most: kinds.length, description: 'Only items of these kinds.', means: '' },
      }).optional(),
      id: idsFilter.optional(),
      ...cursorQuery,
    }),
    returns: cursorPageOf(DeletedItem),
    async handle({ db, caller: { orgId }, cursors, query }) {
      const { kind = kinds, id, limit, cursor } = query
      const after = cursor === undefined ? undefined : cursors.open(orgId, 'trash', cursor)
      const page = { orgId, ids: id, after, limit: limit + 1 }
      const rows = await db.rows<Omit<DeletedItem, 'restorableUntil'>>(sql`
        select items.kind, items.id, items.name, items.project_id as "projectId", items.deleted_at as "deletedAt", (
          select events.actor_id from events
          where events.org_id = ${orgId} and events.resource_id = items.id and events.type = items.kind || '.deleted'
          order by events.sequence desc limit 1) as "deletedBy"
        from (select * from (${sql.join(
          kind.map((one) => sql`(${deletedOf(one, page)})`),
          ' union all ',
        )}) found order by deleted_at desc, id desc limit ${limit + 1}) items
        order by items.deleted_at desc, items.id desc`)
      const [last, next] = [rows[limit - 1], rows[limit]].map((row) => row && placeOf(row))
      const nextCursor = last && next ? cursors.seal(orgId, 'trash', last, next) : null
      const data = rows.slice(0, limit).map((row) => ({ ...row, restorableUntil: restorableUntil(row) }))
      return { data, pagination: { nextCursor } }
    },
  }),
]

interface Deletable {
  table: Sql
  /** SQL: its name */
  name: Sql
  /** SQL: its project; absent: none */
  projectId?: Sql
  /** its parents, by the columns that name them: it is deleted and restored with them */
  above?: [table: Sql, column: Sql][]
  /** condition: it can be restored; absent: always */
  restorable?: Sql
}

const beginning = (of: Sql): Sql => sql`left(${of}, ${sql.literal(longestName)})`

const deletables: Record<DeletedKind, Deletable> = {
  task: { table: sql`tasks`, name: sql`tasks.name`, projectId: sql`tasks.project_id` },
  subtask: {
    table: sql`subtasks`,
    name: sql`subtasks.name`,
    projectId: sql`subtasks.project_id`,
    above: [[sql`tasks`, sql`subtasks.task_id`]],
  },
  comment: {
    table: sql`comments`,
    name: beginning(sql`comments.body`),
    projectId: sql`comments.project_id`,
    above: [[sql`tasks`, sql`comments.task_id`]],
  },
  time_entry: {
    table: sql`time_entries`,
    name: beginning(sql`time_entries.description`),
    projectId: sql`time_entries.project_id`,
    above: [
      [sql`tasks`, sql`time_entries.task_id`],
      [sql`subtasks`, sql`time_entries.subtask_id`],
    ],
  },
  project: { table: sql`projects`, name: sql`projects.name` },
  workspace: { table: sql`workspaces`, name: sql`workspaces.name`, projectId: sql`workspaces.project_id` },
  stage: {
    table: sql`stages`,
    name: sql`stages.name`,
    projectId: sql`stages.project_id`,
    above: [[sql`workspaces`, sql`stages.workspace_id`]],
  },
  tag: { table: sql`tags`, name: sql`tags.name` },
  task_type: { table: sql`task_types`, name: sql`task_types.name` },
  member: { table: sql`members`, name: sql`members.name`, restorable: sql`members.erased_at is null` },
  webhook: { table: sql`webhooks`, name: beginning(sql`webhooks.url`), projectId: sql`webhooks.project_id` },
}

interface Page {
  orgId: string
  ids: string[] | undefined
  after: Position | undefined
  limit: number
}

/**
 * Query: the items of a kind, newest deletion first. A row that was deleted with its parent has the parent's
 * `deleted_at`, and an older `updated_at`. A deletion by itself sets `updated_at` too. So the indexes
 * `…_deleted_by_themselves` have only those rows. Each row looks for its parents by itself (hence offset 0): a join
 * could read all rows that were ever deleted.
 */
function deletedOf(kind: DeletedKind, { orgId, ids, after, limit }: Page): Sql {
  const { table, name, projectId, above = [], restorable } = deletables[kind]
  const alone = above.map(
    ([other, column]) => sql`not exists (select from ${other} above
      where above.org_id = ${orgId} and above.id = ${column} and above.deleted_at = ${table}.deleted_at offset 0)`,
  )
  const moment = sql`${new Date(after?.sortMs ?? 0).toISOString()}::timestamptz`
  // the second condition implies the first: with both, the planner knows that either index finds as many rows
  const behind =
    after &&
    sql`${table}.deleted_at <= ${moment} and (${table}.deleted_at, ${table}.id) < (${moment}, ${after.idBound}::uuid)`
  const which = sql.all(
    sql`${table}.org_id = ${orgId} and ${present(table, true)} and ${table}.updated_at >= ${table}.deleted_at`,
    ...alone,
    restorable,
    projectId && sql`${inDeletedProject(orgId, table)} is not true`,
    ids && sql`${table}.id = any(${ids})`,
    behind,
  )
  const project = kind === 'project' ? sql`projects.id` : (projectId ?? sql`null::uuid`)
  return sql`select ${kind}::text as kind, ${table}.id, ${name} as name, ${project} as project_id, ${table}.deleted_at
    from ${table} where ${which} order by ${table}.deleted_at desc, ${table}.id desc limit ${limit}`
}

const placeOf = ({ id, deletedAt }: Pick<DeletedItem, 'id' | 'deletedAt'>) => ({ id, sortMs: Date.parse(deletedAt) })

const restorableUntil = ({ deletedAt }: Pick<DeletedItem, 'deletedAt'>) =>
  new Date(Date.parse(deletedAt) + restorableMs).toISOString()
