import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { operator } from '../src/http/route.ts'
import { routes } from '../src/resources/index.ts'
import { lineOf, startScenes } from './scene.ts'
import type { Api, World } from './world.ts'

const { scene, ...server } = await startScenes()

/** Holds every task of the list to what its columns say and to what refers to it; read alone it is the same bytes. */
async function holdList({ orgId }: World, owner: Api, after: string): Promise<number> {
  const list = await owner.get('/tasks?limit=100')
  const items: { id: string; assigneeIds: string[]; tagIds: string[] }[] = list.body.data
  const read = await Promise.all(items.map(({ id }) => owner.get(`/tasks/${id}`)))
  // an edit that changes nothing answers from the columns
  for (const { text, body } of read) {
    const edited = await owner.patch(`/tasks/${body.id}`, {})
    if (edited.status !== 412) assert.equal(edited.text, text, after)
  }
  assert.equal(
    list.text,
    `{"data":[${read.map(({ text }) => text).join(',')}],"pagination":{"nextCursor":null}}`,
    after,
  )
  const referring = await server.db.rows<{ id: string; assigneeIds: string[]; tagIds: string[] }>(sql`
    select id, array(select member_id from task_assignees
        where task_assignees.org_id = ${orgId} and task_id = tasks.id order by member_id) as "assigneeIds",
      array(select tag_id from task_tags
        where task_tags.org_id = ${orgId} and task_id = tasks.id order by tag_id) as "tagIds"
    from tasks where org_id = ${orgId} and id = any(${items.map(({ id }) => id)}) order by id desc`)
  const shown = items.map(({ id, assigneeIds, tagIds }) => ({ id, assigneeIds, tagIds }))
  assert.deepEqual(shown, referring, after)
  return items.length
}

test('a list shows every task as reading it does, whatever operation came before', async () => {
  const { world, open, ask } = await scene()
  const { owner } = world
  const labelled = { tagIds: [open.tags], assigneeIds: [owner.memberId, world.member.memberId] }
  await world.task({ projectId: open.projects ?? '', ...labelled })
  await owner.patch(`/tasks/${open.tasks}`, labelled)
  const writes = routes.filter(({ method, roles }) => method !== 'GET' && roles !== operator)
  const deletions = ['DELETE /tags/{id}', 'DELETE /task-types/{id}', 'DELETE /members/{id}']
  // what a deletion takes along is seen only while it is there
  const last = (line: string) => (line.startsWith('DELETE') ? 1 + Number(!deletions.includes(line)) : 0)
  let most = 0
  for (const route of writes.toSorted((a, b) => last(lineOf(a)) - last(lineOf(b)))) {
    await ask(owner, route)
    most = Math.max(most, await holdList(world, owner, lineOf(route)))
  }
  assert.ok(most > 1)
})

test('a list shows a text as it was written, whatever is in it, and ends its page where it should', async () => {
  const world = await server.newWorld()
  const { id: projectId } = await world.project()
  const odd = [
    '"},{"id":"',
    ',{\\"id":"',
    'a\\b\\n',
    '\u0001\u001f\u007f\u2028',
    '😀 ä ﷽',
    ',\n',
    '\r\n\t\b\f',
    '</script>/',
  ].map((text) => `a${text}z`)
  for (const description of odd) await world.task({ projectId, name: `Odd: ${description}.`, description })
  assert.equal(await holdList(world, world.owner, 'odd'), odd.length)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await world.owner.get(`/tasks?limit=1${cursor}`)
    seen.push(...body.data.map(({ description }: { description: string }) => description))
    if (body.pagination.nextCursor === null) break
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
  assert.deepEqual(seen, odd.toReversed())
  assert.deepEqual((await world.owner.get(`/tasks?projectId=${world.orgId}`)).body, {
    data: [],
    pagination: { nextCursor: null },
  })
})
