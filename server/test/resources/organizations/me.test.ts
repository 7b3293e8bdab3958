import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidFields } from '../../support/envelope.ts'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('a page needs one call to start: the caller, the range of events, and the timer with its task', async () => {
  const world = await newWorld()
  const { owner } = world
  const bare = (await owner.get('/me')).body
  assert.deepEqual(Object.keys(bare), ['member', 'organization', 'via', 'apiKey'])
  const read = async (include: string) => (await owner.get(`/me?include=${include}`)).body
  assert.equal((await read('timer')).timer, null)
  const { id: projectId } = await world.project()
  const task = await world.task({ projectId, name: 'Paint the fence' })
  const { body: step } = await owner.post(`/tasks/${task.id}/subtasks`, { name: 'Buy paint' })
  const { body: started } = await owner.post('/timer/start', { subtaskId: step.id, description: 'Which red?' })
  const { timer, eventsHead, ...who } = await read('eventsHead,timer')
  assert.deepEqual(eventsHead, (await owner.get('/events/head')).body)
  assert.deepEqual([who.member, who.organization], [bare.member, bare.organization])
  const { description: _, ...brief } = started
  assert.deepEqual(
    { ...timer, task: timer.task.key, subtask: timer.subtask.name },
    {
      ...brief,
      task: task.key,
      subtask: 'Buy paint',
    },
  )
  assert.equal((await world.member.get('/me?include=timer')).body.timer, null, 'the timer of somebody else')
  assert.deepEqual(invalidFields(await owner.get('/me?include=timer,project')), ['include'])
})

test("everything that happens after the head of a page's first call is in the events after it", async () => {
  const world = await newWorld()
  const { latest } = (await world.owner.get('/me?include=eventsHead')).body.eventsHead
  const { id } = await world.tag()
  const { data } = (await world.owner.get(`/events?after=${latest}`)).body
  assert.deepEqual(
    data.map(({ type, resource }: { type: string; resource: { id: string } }) => [type, resource.id]),
    [['tag.created', id]],
  )
})

test('a page knows from its first call what its reader can do in which project', async () => {
  const world = await newWorld()
  const { owner, member } = world
  const roles = async (api: typeof owner) => (await api.get('/me?include=projectRoles')).body.projectRoles
  assert.deepEqual(await roles(member), [])
  const [led, seen, gone] = [await world.project(), await world.project(), await world.project()]
  await world.addToProject(led.id, member, 'lead')
  await world.addToProject(seen.id, member, 'viewer')
  await world.addToProject(gone.id, member)
  await owner.delete(`/projects/${gone.id}`)
  assert.deepEqual(await roles(member), [
    { projectId: seen.id, role: 'viewer' },
    { projectId: led.id, role: 'lead' },
  ])
  await owner.patch(`/members/${member.memberId}`, { role: 'admin' })
  assert.deepEqual(
    (await roles(member)).map(({ role }: { role: string }) => role),
    ['lead', 'lead'],
    'admins lead every project, whatever was given',
  )
})
