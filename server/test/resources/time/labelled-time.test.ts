import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../../../src/access/caller.ts'
import { sql } from '../../../src/db/sql.ts'
import { routes } from '../../../src/resources/index.ts'
import { fieldsOf, lineOf, startScenes } from '../../support/scene.ts'
import type { World } from '../../support/world.ts'

const { scene, ...server } = await startScenes()

/** Holds the tags that each entry bears, a deleted one too, to those that refer to it. @returns how many refer */
async function holdTags({ orgId }: World, after: string): Promise<number> {
  const entries = await server.db.rows<{ id: string; tagIds: string[]; referring: string[] }>(sql`
    select id, tag_ids as "tagIds", array(select tag_id from time_entry_tags
        where time_entry_tags.org_id = ${orgId} and time_entry_id = time_entries.id order by tag_id) as referring
    from time_entries where org_id = ${orgId} order by id`)
  const both = (pick: (entry: (typeof entries)[number]) => string[]) => entries.map((entry) => [entry.id, pick(entry)])
  assert.deepEqual(
    both(({ tagIds }) => tagIds),
    both(({ referring }) => referring),
    after,
  )
  return entries.flatMap(({ referring }) => referring).length
}

test('a time entry has the tags that refer to it, ascending, after any operation', async () => {
  const { world, open, ask, naming } = await scene()
  const { owner } = world
  const { tags: tagId = '', 'time-entries': entryId } = open
  const { id: later } = await world.tag()
  await owner.patch(`/time-entries/${entryId}`, { tagIds: [later, tagId] })
  assert.equal(await holdTags(world, 'two tags'), 2)
  await owner.patch(`/time-entries/${entryId}`, { tagIds: [] })
  assert.equal(await holdTags(world, 'no tags'), 0)
  const writes = routes.filter(({ method, roles }) => method !== 'GET' && roles !== operator)
  // what a deletion takes along is seen only while it is there
  const last = (line: string) => Number(line.startsWith('DELETE')) + Number(line === 'DELETE /tags/{id}')
  const counts: number[] = []
  for (const route of writes.toSorted((a, b) => last(lineOf(a)) - last(lineOf(b)))) {
    const labels = fieldsOf(route.body).some(([name]) => name === 'tagIds')
    await ask(owner, route, labels ? { body: naming(route, 'tagIds', tagId) } : {})
    counts.push(await holdTags(world, lineOf(route)))
  }
  const [before = 0, after] = counts.slice(-2)
  assert.ok(before > 2)
  assert.equal(after, 0)
})
