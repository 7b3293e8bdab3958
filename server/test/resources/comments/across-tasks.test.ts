import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { invalidFields } from '../../support/envelope.ts'
import { type Api, created, sharedServer } from '../../support/world.ts'

const { newWorld, db } = await sharedServer()

/** Comments in two projects, of which the member sees the first. */
async function commentsInTwoProjects() {
  const world = await newWorld()
  const { owner, project, task, member, addToProject } = world
  const [open, hidden] = [await project(), await project()]
  await addToProject(open.id, member)
  const [one, other, unseen] = [
    await task({ projectId: open.id }),
    await task({ projectId: open.id }),
    await task({ projectId: hidden.id }),
  ]
  const say = (api: Api, taskId: string, body: string) => created(api.post(`/tasks/${taskId}/comments`, { body }))
  const [first, second, third] = [
    await say(owner, one.id, 'first'),
    await say(member, one.id, 'second'),
    await say(member, other.id, 'third'),
  ]
  const aside = await say(owner, unseen.id, 'aside')
  return { ...world, open, hidden, one, other, first, second, third, aside }
}

const listed = async (api: Api, query = '') => (await api.get(`/comments?${query}`)).body.data

test('/comments lists the comments on all tasks newest first, each as GET by id shows it, to callers who see its project', async () => {
  const { owner, member, first, second, third, aside } = await commentsInTwoProjects()
  assert.deepEqual(await listed(owner), [aside, third, second, first])
  assert.deepEqual(await listed(member), [third, second, first])
  for (const made of await listed(owner)) assert.deepEqual((await owner.get(`/comments/${made.id}`)).body, made)
})

test('comments can be filtered by author, task, project and creation time, inclusive', async () => {
  const { owner, member, open, hidden, one, first, second, third, aside } = await commentsInTwoProjects()
  assert.deepEqual(await listed(member, 'authorId=me'), [third, second])
  assert.deepEqual(await listed(owner, `authorId=${member.memberId}&taskId=${one.id}`), [second])
  assert.deepEqual(await listed(owner, `projectId=${hidden.id}`), [aside])
  assert.deepEqual(await listed(member, `projectId=${hidden.id}`), [])
  assert.deepEqual(await listed(owner, `since=${third.createdAt}&projectId=${open.id}`), [third])
  assert.deepEqual(await listed(member, `since=${first.createdAt}`), [third, second, first])
  const later = new Date(Date.parse(aside.createdAt) + 1).toISOString()
  assert.deepEqual(await listed(owner, `since=${later}`), [])
})

test('a comment that was requested before its id was created counts by the time of the request', async () => {
  const { owner, orgId, second, third, aside } = await commentsInTwoProjects()
  await db.rows(sql`
    update comments set created_at = (created_at at time zone 'UTC' - interval '5 seconds') at time zone 'UTC' where org_id = ${orgId} and id = ${third.id}`)
  assert.deepEqual(await listed(owner, `since=${second.createdAt}`), [aside, second])
})

test('no list shows a comment below a deleted task or project, and the comment returns with it', async () => {
  const { owner, member, open, other, first, second, third, aside } = await commentsInTwoProjects()
  await owner.delete(`/tasks/${other.id}`)
  assert.deepEqual(await listed(owner), [aside, second, first])
  await owner.delete(`/projects/${open.id}`)
  assert.deepEqual(await listed(owner), [aside])
  assert.deepEqual(await listed(member), [])
  assert.equal((await owner.post(`/projects/${open.id}/restore`)).status, 200)
  assert.equal((await owner.post(`/tasks/${other.id}/restore`)).status, 200)
  const bodies = (await listed(member)).map(({ body }: { body: string }) => body)
  assert.deepEqual(
    bodies,
    [third, second, first].map(({ body }) => body),
  )
})

test('an unknown filter gets 422', async () => {
  const { owner } = await newWorld()
  for (const [name, value] of Object.entries({ authorId: 'none', taskId: 'WEB-1', since: '2026-01-31', projectId: '' }))
    assert.deepEqual(invalidFields(await owner.get(`/comments?${name}=${value}`)), [name])
})
