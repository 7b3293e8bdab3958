import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { inOrganization } from '../../access/visibility.ts'
import { Color, Name, resource } from '../../contract/fields.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { hasWordsOf, wordStarts } from '../../search/by-name.ts'
import { detach, refuseIfDetaching } from '../detaching/detaching.ts'
import { restoreRoute } from '../trash.ts'

/** A label for the tasks and time entries of an organization. */
export const Tag = resource('Tag', 'A label for tasks and time entries.', {
  name: Name.meta({ description: 'Unique in the organization. Case and accents do not matter.', examples: ['Urgent'] }),
  color: Color.nullable(),
})
export type Tag = z.output<typeof Tag>

const TagChanges = Tag.pick({ name: true, color: true }).partial()
const NewTag = TagChanges.required({ name: true })

/** The table of tags. */
export const storedTags = table('tags', Tag, {
  noun: 'tag',
  nameKey: true,
  foundBy: ['name'],
  tells: {
    deleted:
      'The tag is also removed from tasks and time entries. Each of these tasks and time entries gets its own event, ' +
      'at once or within minutes.',
  },
})
const constraints = { tags_name: 'name' }

/** A tag of the caller's organization. */
export const tag = inOrganization(storedTags)

export const tags = [
  route('GET /tags', {
    name: 'tags.list',
    summary: 'List tags',
    description: 'Sorted by name.',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery, q: wordStarts }),
    returns: offsetPageOf(Tag),
    handle: ({ db, caller, query }) => {
      const there = sql`org_id = ${caller.orgId} and deleted_at is null`
      const from = sql`tags where ${sql.all(there, query.q && hasWordsOf(sql`tags`, caller.orgId, query.q))}`
      return offsetPage<Tag>(db, { columns: storedTags.columns, from, order: sql`name_key, id` }, query)
    },
  }),

  route('POST /tags', {
    name: 'tags.create',
    summary: 'Create a tag',
    roles: everyone,
    body: NewTag,
    returns: Tag,
    created: ({ id }) => `/tags/${id}`,
    constraints,
    emits: ['tag.created'],
    async handle({ db, caller, body, emit, now }) {
      const created = await storedTags.insert(db, caller.orgId, body, now)
      emit('tag.created', created)
      return created
    },
  }),

  route('GET /tags/{id}', {
    name: 'tags.get',
    summary: 'Get a tag',
    roles: everyone,
    target: tag,
    returns: Tag,
    handle: ({ target }) => target,
  }),

  route('PATCH /tags/{id}', {
    name: 'tags.update',
    summary: 'Update a tag',
    roles: everyone,
    target: tag,
    body: TagChanges,
    returns: Tag,
    constraints,
    emits: ['tag.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      const changed = await storedTags.update(db, caller.orgId, target.id, body, now)
      emit('tag.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /tags/{id}', {
    name: 'tags.delete',
    summary: 'Delete a tag',
    description:
      'The tag is also removed from all tasks and time entries. No response shows it from now on. If there are ' +
      'many, their events follow within minutes.',
    roles: everyone,
    target: tag,
    emits: ['tag.deleted', 'task.updated', 'time_entry.updated'],
    async handle({ db, caller, target, emit, now }) {
      await storedTags.remove(db, caller.orgId, target.id, now)
      emit('tag.deleted', target)
      await detach({ db, emit, now }, { orgId: caller.orgId, kind: 'tag', id: target.id })
    },
  }),

  restoreRoute(storedTags, {
    name: 'tags.restore',
    target: tag,
    description: 'You can restore a tag for 30 days. Tasks and time entries that had this tag do not get it back.',
    constraints,
    before: ({ db, caller, target }) => refuseIfDetaching(db, caller.orgId, target.id),
  }),
]
