import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { fold } from '../../db/folding.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { Color, Name, resource } from '../../http/fields.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../http/page.ts'
import { everyone, route } from '../../http/route.ts'
import { inOrganization } from '../access.ts'
import { restoring } from '../trash.ts'

/** A label that an organization puts on its tasks and time entries. */
export const Tag = resource('Tag', 'A label for tasks and time entries.', {
  name: Name.meta({ description: 'Unique in the organization, whatever its case and accents.', examples: ['Urgent'] }),
  color: Color.nullable(),
})
export type Tag = z.output<typeof Tag>

const { name, color } = Tag.shape
const TagChanges = z.strictObject({ name, color }).partial()
const NewTag = TagChanges.required({ name: true })

const columns = sql`tags.id, tags.name, tags.color, tags.version,
  tags.created_at as "createdAt", tags.updated_at as "updatedAt"`

const stored = table<Tag>(sql`tags`, columns)
const constraints = { tags_name: 'name' }

/** A tag of the caller's organization. */
export const tag = inOrganization<Tag>(sql`tags`, columns)

export const tags = [
  route('GET /tags', {
    summary: 'List tags, by name',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(Tag),
    handle: ({ db, caller, query }) => {
      const from = sql`tags where org_id = ${caller.orgId} and deleted_at is null`
      return offsetPage<Tag>(db, { columns, from, order: sql`name_key, id` }, query)
    },
  }),

  route('POST /tags', {
    summary: 'Create a tag',
    roles: everyone,
    body: NewTag,
    returns: Tag,
    created: ({ id }) => `/tags/${id}`,
    constraints,
    async handle({ db, caller, body, emit, now }) {
      const created = await stored.insert(db, caller.orgId, { ...body, nameKey: fold(body.name) }, now)
      emit('tag.created', created)
      return created
    },
  }),

  route('GET /tags/{id}', {
    summary: 'Read a tag',
    roles: everyone,
    at: tag,
    returns: Tag,
    handle: ({ at }) => at,
  }),

  route('PATCH /tags/{id}', {
    summary: 'Edit a tag',
    roles: everyone,
    at: tag,
    body: TagChanges,
    returns: Tag,
    constraints,
    async handle({ db, caller, at, body, emit, now }) {
      const changes = { ...body, nameKey: body.name && fold(body.name) }
      const changed = await stored.update(db, caller.orgId, at.id, changes, now)
      emit('tag.updated', changed, { before: at })
      return changed
    },
  }),

  route('DELETE /tags/{id}', {
    summary: 'Delete a tag; it comes off all that bear it',
    roles: everyone,
    at: tag,
    async handle({ db, caller, at, emit, now }) {
      await detach(db, caller.orgId, at.id, now)
      await stored.remove(db, caller.orgId, at.id, now)
      emit('tag.deleted', at)
    },
  }),

  restoring({ path: '/tags', noun: 'tag', at: tag, returns: Tag, stored, constraints }),
]

/** Takes the tag off whatever bears it; what is shown of that changes, so its version does. */
async function detach(db: Db, orgId: string, tagId: string, now: string): Promise<void> {
  // who edits one of these has it before what refers to it, so they come first here too
  await db.rows(sql`
    select id from tasks where org_id = ${orgId} and id in (
      select task_id from task_tags where org_id = ${orgId} and tag_id = ${tagId}) order by id for no key update`)
  await db.rows(sql`
    select id from time_entries where org_id = ${orgId} and id in (
      select time_entry_id from time_entry_tags where org_id = ${orgId} and tag_id = ${tagId})
    order by id for no key update`)
  await db.rows(sql`
    with detached as (delete from task_tags where org_id = ${orgId} and tag_id = ${tagId} returning task_id)
    update tasks set tag_ids = array_remove(tag_ids, ${tagId}), version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id in (select task_id from detached)`)
  await db.rows(sql`
    with detached as (delete from time_entry_tags where org_id = ${orgId} and tag_id = ${tagId} returning time_entry_id)
    update time_entries set tag_ids = array_remove(tag_ids, ${tagId}), version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id in (select time_entry_id from detached)`)
}
