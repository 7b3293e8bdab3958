import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { inOrganization } from '../../access/visibility.ts'
import { Color, Name, resource } from '../../contract/fields.ts'
import { fold } from '../../db/folding.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { detach, refuseIfDetaching } from '../detaching/detaching.ts'
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
    description: 'From now on nothing is shown with it. Where many bear it, their events follow within minutes.',
    roles: everyone,
    at: tag,
    async handle({ db, caller, at, emit, now }) {
      await stored.remove(db, caller.orgId, at.id, now)
      emit('tag.deleted', at)
      await detach({ db, emit, now }, { orgId: caller.orgId, kind: 'tag', id: at.id })
    },
  }),

  restoring({
    path: '/tags',
    noun: 'tag',
    at: tag,
    description: 'Within 30 days. What bore it bears it no longer.',
    returns: Tag,
    stored,
    constraints,
    before: (db, { orgId }, { id }) => refuseIfDetaching(db, orgId, id),
  }),
]
