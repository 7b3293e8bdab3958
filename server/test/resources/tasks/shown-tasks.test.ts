import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../../../src/access/caller.ts'
import { sql } from '../../../src/db/sql.ts'
import { routes } from '../../../src/resources/index.ts'
import { rounds } from '../../support/rounds.ts'
import { lineOf, startScenes } from '../../support/scene.ts'
import type { Api, World } from '../../support/world.ts'

const { scene, ...server } = await startScenes()

/**
 * Holds every task of the list to what its columns say and to what refers to it, and its subtasks to their columns; read
 * alone it is the same bytes.
 */
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
  const full = await owner.get('/tasks?limit=100&include=subtasks')
  for (const { id, subtasks } of full.body.data) {
    assert.deepEqual(subtasks, (await owner.get(`/tasks/${id}/subtasks?limit=100`)).body.data, after)
  }
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

test('a list shows every task as GET by id does, after any operation', async () => {
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
  const everyFew = rounds(10, 1)
  for (const [n, route] of writes.toSorted((a, b) => last(lineOf(a)) - last(lineOf(b))).entries()) {
    await ask(owner, route)
    if (n % everyFew === 0) most = Math.max(most, await holdList(world, owner, lineOf(route)))
  }
  assert.ok(most > 1)
})

test('a list shows a text as it was written, with any content, and ends its page at the right place', async () => {
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

test('an included part of a task shows what GET by id does, with any content', async () => {
  const world = await server.newWorld()
  const { owner } = world
  const label = await world.tag({ name: ',{"id":"' })
  const { id: projectId } = await world.project()
  const one = await world.task({ projectId, tagIds: [label.id], assigneeIds: [owner.memberId], description: '"}' })
  const other = await world.task({ projectId })
  const names = ['"},{"id":"', ',{\\"id":"', 'a\\b', '\u2028\u007f', '😀 ä ﷽', '}]'].map((text) => `a${text}z`)
  const steps: { id: string }[] = []
  for (const name of names) steps.push(await world.subtask(one.id, { name }))
  await owner.patch(`/subtasks/${steps[1]?.id}`, { assigneeId: owner.memberId })
  await owner.post(`/subtasks/${steps[2]?.id}/finalize`)
  const read = async (path: string) => (await owner.get(path)).text
  const shownSteps = await Promise.all(steps.map(({ id }) => read(`/subtasks/${id}`)))
  const shown = async (id: string, assignees: string, tags: string, subtasks: string) =>
    `${(await read(`/tasks/${id}`)).slice(0, -1)},"assignees":[${assignees}],"tags":[${tags}],"subtasks":[${subtasks}],"trackedSeconds":0}`
  const [person, tag] = [await read(`/members/${owner.memberId}`), await read(`/tags/${label.id}`)]
  const full = await shown(one.id, person, tag, shownSteps.join())
  const every = 'include=assignees,tags,subtasks,trackedSeconds'
  assert.equal(await read(`/tasks/${one.id}?${every}`), full)
  const page = (items: string) => `{"data":[${items}],"pagination":{"nextCursor":null}}`
  assert.equal(await read(`/tasks?${every}`), page(`${await shown(other.id, '', '', '')},${full}`))
})
