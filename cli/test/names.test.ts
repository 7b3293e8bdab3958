import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer, type World } from '../../server/test/support/world.ts'
import { typingTo } from './support/typing.ts'

const server = await startServer()

async function office() {
  const world: World = await server.newWorld()
  const project = await world.project({ name: 'Web site', key: 'WEB' })
  const board = await world.workspace({ name: 'Board', projectId: project.id, stages: ['To do', 'Doing', 'Done'] })
  const ann = (await world.owner.post('/members', { name: 'Ann Example', email: 'ann@example.org' })).body
  return { ...world, project, board, ann, tw: typingTo(server.base, world.owner.key) }
}

test('keys, e-mail addresses and names work wherever the API takes ids', async () => {
  const { tw, owner, project, board, ann, tag, taskType } = await office()
  const [urgent, later] = [await tag({ name: 'Urgent' }), await tag({ name: 'Later' })]
  const bug = await taskType({ name: 'Bug' })
  const line =
    'tasks create --project web --name "Fix it" --assignee ann@example.org --tag urgent,LATER --type bug --stage doing --json'
  const { code, out, err } = await tw(line)
  assert.equal(err, '')
  assert.equal(code, 0)
  const task = JSON.parse(out)
  const { data: stages } = (await owner.get(`/workspaces/${board.id}/stages`)).body
  assert.deepEqual(
    {
      projectId: task.projectId,
      assigneeIds: task.assigneeIds,
      tagIds: task.tagIds,
      typeId: task.typeId,
      stageId: task.stageId,
    },
    {
      ...{ projectId: project.id, assigneeIds: [ann.id], tagIds: [urgent.id, later.id].sort(), typeId: bug.id },
      stageId: stages[1].id,
    },
  )
  const moved = await tw('tasks update WEB-1 --stage Done --assignee "Ann Example,me" --priority high --json')
  assert.equal(moved.err, '')
  assert.equal(JSON.parse(moved.out).stageId, stages[2].id)
  assert.deepEqual(JSON.parse(moved.out).assigneeIds, [owner.memberId, ann.id].sort())
  const cleared = await tw('tasks update web-1 --type null --assignee null --due-date null --json')
  assert.deepEqual([JSON.parse(cleared.out).typeId, JSON.parse(cleared.out).assigneeIds], [null, []])
})

test('an unknown or ambiguous name is refused with the possible matches', async () => {
  const { tw, workspace, project } = await office()
  await workspace({ name: 'Board', stages: ['Doing'] })
  const unknown = await tw('tasks create --project WEB --name x --assignee Ann')
  assert.equal(unknown.code, 2)
  assert.match(
    unknown.err,
    /There is no member 'Ann' that you can see\. Similar names:\n {2}[0-9a-f-]{36} {2}Ann Example \(ann@example\.org\)/,
  )
  const ambiguous = await tw('tasks list --project WEB --stage doing')
  assert.equal(ambiguous.code, 2)
  assert.match(ambiguous.err, /2 stages are named 'doing'\. Give the id of one of them:\n(.*\(in Board\)\n){2}/)
  const two = await tw('workspaces get Board --project WEB')
  assert.match(two.err, /2 workspaces are named 'Board'/)
  assert.equal((await tw('tasks list --project NOPE')).err, "There is no project 'NOPE' that you can see.\n")
  assert.equal((await tw('tasks list --task-id 1')).code, 2)
  assert.equal((await tw(['timer', 'start', 'Fix it'])).err, "'Fix it' is not a task key such as WEB-12, nor an id.\n")
  assert.equal((await tw(`projects get ${project.id} --json`)).code, 0)
})

test('values that the API accepts are passed on, and a name costs one request', async () => {
  const { tw, owner, ann, board } = await office()
  await tw('tasks create --project WEB --name "Fix it"')
  const asked: string[] = []
  server.app.server.on('request', ({ method, url }) => asked.push(`${method} ${decodeURIComponent(url ?? '')}`))
  const requests = async (line: string) => {
    asked.length = 0
    const { code, err } = await tw(line)
    assert.equal(code, 0, err)
    return asked.map((one) => one.replace('/api/v1', ''))
  }
  assert.deepEqual(await requests('projects get WEB --json'), ['GET /projects/WEB'])
  assert.deepEqual(await requests('tasks list --assignee me --json'), ['GET /tasks?assigneeId=me'])
  assert.deepEqual(await requests('tasks update web-1 --assignee me'), ['GET /me', 'PATCH /tasks/WEB-1'])
  assert.deepEqual(await requests('projects members add WEB --member ann@example.org --role viewer'), [
    'GET /members?limit=100&q=ann@example.org&fields=id,name,email',
    'POST /projects/WEB/members',
  ])
  assert.deepEqual(
    await requests('tasks list --project WEB --assignee ann@example.org,none --json').then((all) => all.at(-1)),
    [`GET /tasks?projectId=${(await owner.get('/projects/WEB')).body.id}&assigneeId=${ann.id},none`][0],
  )
  assert.deepEqual(await requests('tasks move WEB-1 --stage Doing --workspace Board'), [
    'GET /workspaces?limit=100&q=Board&fields=id,name',
    `GET /workspaces/${board.id}/stages?limit=100&fields=id,name`,
    'POST /tasks/WEB-1/move',
  ])
  assert.deepEqual(await requests('tasks move WEB-1 --stage "To do"'), [
    'GET /tasks/WEB-1?fields=workspaceId,projectId',
    `GET /workspaces/${board.id}/stages?limit=100&fields=id,name`,
    'POST /tasks/WEB-1/move',
  ])
})

test('names are compared as on the server: without accents, but with marks that make another letter', async () => {
  const { tw, project, task, tag } = await office()
  await task({ projectId: project.id, name: 'Fix it' })
  for (const name of ['Мой', 'Мои', 'かぎ', 'かき', 'Straße']) await tag({ name })
  const tagsAfter = async (name: string) => {
    const { code, err } = await tw(['tasks', 'update', 'WEB-1', '--tag', name])
    assert.equal(code, 0, err)
    return JSON.parse((await tw('tasks get WEB-1 --include tags --json')).out).tags.map(
      (one: { name: string }) => one.name,
    )
  }
  for (const [typed, name] of Object.entries({ мой: 'Мой', МОИ: 'Мои', かぎ: 'かぎ', かき: 'かき', STRASSE: 'Straße' }))
    assert.deepEqual(await tagsAfter(typed), [name])
})

test('a name with a comma can be given, also beside others; a list splits at commas only if no name has that comma', async () => {
  const { tw, owner, tag, workspace, project, task } = await office()
  const both = await tag({ name: 'Red, hot' })
  const [red, hot] = [await tag({ name: 'Red' }), await tag({ name: 'Hot' })]
  const { id: taskId } = await task({ projectId: project.id, name: 'Fix it' })
  const tagsAfter = async (flags: readonly string[]) => {
    const { code, err } = await tw(['tasks', 'update', 'WEB-1', ...flags])
    assert.equal(code, 0, err)
    return (await owner.get(`/tasks/${taskId}`)).body.tagIds
  }
  assert.deepEqual(await tagsAfter(['--tag', 'red, hot']), [both.id])
  assert.deepEqual(await tagsAfter(['--tag', 'Red,Hot']), [red.id, hot.id].sort())
  assert.deepEqual(await tagsAfter(['--tag', 'Red, hot', '--tag', 'Red']), [both.id, red.id].sort())
  assert.deepEqual(await tagsAfter(['--tag', 'Red, hot , hot']), [both.id, hot.id].sort())
  assert.deepEqual(await tagsAfter(['--tag', 'Hot,red, hot']), [both.id, hot.id].sort())
  assert.deepEqual(await tagsAfter(['--tag', 'Red', '--tag', 'Hot']), [red.id, hot.id].sort())
  const listed = await tw(['tasks', 'list', '--tag', 'Red, hot', '--json'])
  assert.equal(JSON.parse(listed.out).data.length, 0)
  assert.match((await tw(['tasks', 'update', 'WEB-1', '--tag', 'Red, cold'])).err, /There is no tag 'cold'/)

  // of a project with a comma the stages are looked for within it
  const other = (await owner.post('/projects', { name: 'Smith, Jones', key: 'SJ' })).body
  const board = await workspace({ name: 'Desk, left', projectId: other.id, stages: ['Doing', 'Sent, paid'] })
  const { data: stages } = (await owner.get(`/workspaces/${board.id}/stages`)).body
  const found = await tw(['tasks', 'list', '--project', 'smith, jones', '--stage', 'Sent, paid', '--json'])
  assert.equal(found.err, '')
  const made = await tw('tasks create --project "Smith, Jones" --name x --stage doing --json')
  assert.equal(JSON.parse(made.out).stageId, stages[0].id)
  const there = await tw('tasks list --project "Smith, Jones" --stage Doing --json')
  assert.deepEqual([there.err, JSON.parse(there.out).data.length], ['', 1])
})
