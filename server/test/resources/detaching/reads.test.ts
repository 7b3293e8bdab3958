import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../../../src/access/caller.ts'
import { changeByJob } from '../../../src/operations/changes.ts'
import { detachSome, mostAtOnce } from '../../../src/resources/detaching/detaching.ts'
import { routes } from '../../../src/resources/index.ts'
import { manyTasks } from '../../support/many.ts'
import { lineOf, startScenes } from '../../support/scene.ts'

const { scene, ...server } = await startScenes()

// what happened names what it happened to, and a key whose it was
const remembers = ['GET /tasks/{id}/history', 'GET /events', 'GET /api-keys', 'GET /audit', 'GET /trash']

test('no operation shows a deleted tag, type or member while it is being removed from items', async () => {
  const { world, open, ask } = await scene()
  const { owner, join, tag, taskType, orgId } = world
  const [{ id: tagId }, { id: typeId }, gone] = [await tag(), await taskType(), await join('Greta Gone', 'admin')]
  const labels = { tagIds: [tagId], typeId, assigneeIds: [gone.memberId] }
  for (const [path, body] of [
    [`/tasks/${open.tasks}`, labels],
    [`/subtasks/${open.subtasks}`, { assigneeId: gone.memberId }],
    [`/subtasks/${open.nextSubtask}`, { assigneeId: gone.memberId }],
    [`/time-entries/${open['time-entries']}`, { tagIds: [tagId] }],
  ] as const) {
    assert.equal((await owner.patch(path, body)).status, 200)
  }
  const last = await world.task({ projectId: open.projects ?? '', ...labels })
  await manyTasks(server.db, orgId, last.id, mostAtOnce + 1, { tagId, typeId, assigneeId: gone.memberId })
  const trashed = await world.task({ projectId: open.projects ?? '', ...labels })
  await owner.delete(`/tasks/${trashed.id}`)
  for (const path of [`/tags/${tagId}`, `/task-types/${typeId}`, `/members/${gone.memberId}`])
    assert.equal((await owner.delete(path)).status, 204)

  const hidden = [tagId, typeId, gone.memberId]
  const holds = (text: string, what: string) => {
    for (const id of hidden) assert.ok(!text.includes(id), `${what} shows ${id}: ${text.slice(0, 500)}`)
  }
  const reads = [
    '/tasks?limit=100',
    '/tasks?limit=100&include=assignees,tags,subtasks,trackedSeconds,type,subtaskAssignees',
    `/tasks/${open.tasks}?include=assignees,tags,subtasks,trackedSeconds,type`,
    '/tasks?limit=100&fields=name,tagIds,typeId',
    `/tasks/${open.tasks}?fields=assigneeIds`,
    `/tasks/${open.tasks}/subtasks?fields=assigneeId`,
    '/time-entries?fields=tagIds',
    '/tasks?priority=none&completed=false',
    '/tasks?q=many',
    `/tasks?assigneeId=${gone.memberId}`,
    `/tasks?typeId=${typeId}`,
    `/tasks?tagId=${tagId}`,
    `/workspaces/${open.workspaces}/board`,
    `/workspaces/${open.workspaces}/board?fields=key,version&include=assignees,tags,type`,
    '/subtasks?limit=100',
    `/subtasks?assigneeId=${gone.memberId}`,
    `/time-entries?tagId=${tagId}`,
    '/time-entries?limit=100&include=task,subtask,tags',
    `/tasks/${open.tasks}/subtasks?include=assignee,task`,
    `/tasks/${open.tasks}/comments?include=task`,
    `/reports/tasks?groupBy=tag,type,assignee`,
    `/reports/tasks?groupBy=tag&tagId=${tagId}`,
    `/reports/time?groupBy=tag,type`,
    `/reports/time?groupBy=type`,
    `/reports/time?groupBy=tag&tagId=${tagId}`,
    `/projects?memberId=${gone.memberId}`,
  ]
  for (const api of [owner, world.member])
    for (const path of reads) {
      const { status, text } = await api.get(path)
      assert.equal(status, 200, path)
      holds(text, path)
    }
  for (const path of [`/tasks/${open.tasks}`, `/subtasks/${open.subtasks}`, `/time-entries/${open['time-entries']}`]) {
    const { version } = (await owner.get(path)).body
    assert.deepEqual((await owner.get(`${path}?fields=version`)).body, { version }, path)
  }
  const empty = reads.filter((path) => hidden.some((id) => path.includes(id)))
  for (const path of empty) assert.deepEqual((await owner.get(path)).body.data, [], path)
  const rows = (await owner.get('/reports/time?groupBy=tag,type')).body.data
  assert.deepEqual(
    rows.map(({ group }: { group: object }) => group),
    [{ tag: { id: null, name: null }, type: { id: null, name: null } }],
  )

  const order = (line: string) => Number(line.startsWith('DELETE')) - Number(line.startsWith('GET'))
  const asked = routes.filter(({ roles }) => roles !== operator).toSorted((a, b) => order(lineOf(a)) - order(lineOf(b)))
  const statuses = new Map<string, number>()
  for (const route of asked) {
    const { status, text } = await ask(owner, route)
    statuses.set(lineOf(route), status)
    if (!remembers.includes(lineOf(route))) holds(text, lineOf(route))
  }
  holds((await owner.post(`/tasks/${trashed.id}/restore`)).text, 'a task that returns')
  const shown = ['PATCH /tasks/{id}', 'POST /tasks/{id}/move', 'PATCH /subtasks/{id}', 'PATCH /time-entries/{id}']
  for (const line of [...shown, 'POST /subtasks/{id}/finalize']) assert.equal(statuses.get(line), 200, line)

  const more = () =>
    changeByJob(server.db, orgId, 'deliveries', (db, emit, now) => detachSome({ db, emit, now }, orgId, 200))
  while (await more());
  for (const path of reads) holds((await owner.get(path)).text, path)
})
