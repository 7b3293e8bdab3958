import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDesk } from './support/desk.ts'

const { desk } = await startDesk()

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of
const colours = /\u001b\[\d+m/g

test('a list is a table with names instead of ids, cut to the terminal and never without one', async () => {
  const { tw, project, task, owner } = await desk()
  const name = '家の前の小さな庭に新しい花を植える and much more that is told here at length'
  await task({ projectId: project.id, name, assigneeIds: [owner.memberId], priority: 'urgent' })
  const { out: whole } = await tw('tasks list')
  const lines = whole.trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^key +name +stage +priority +assignees +dueDate$/)
  assert.match(lines[1] ?? '', /^WEB-1 {2}家の前の.*at length +urgent +Olivia Owner$/)
  assert.doesNotMatch(whole, colours)
  const { out } = await tw('tasks list', { columns: 60 })
  const plain = out.replace(colours, '').trimEnd().split('\n')
  assert.notEqual(plain.join('\n'), out)
  const [head = '', row = ''] = plain
  assert.match(row, /…/)
  const wide = row.match(/[\u3000-\u9fff]/g)?.length ?? 0
  assert.equal(row.indexOf('urgent') + wide, head.indexOf('priority'))
  assert.ok(Math.max(head.length, row.length + wide) <= 60)
  assert.doesNotMatch((await tw('tasks list', { columns: 60, env: { NO_COLOR: '1' } })).out, colours)
})

test('one item shows the fields that have a value and the requested fields', async () => {
  const { tw, project, task } = await desk()
  await task({ projectId: project.id, name: 'Plain' })
  const { out } = await tw('tasks update WEB-1 --name Other')
  assert.match(out, /^name +Other$/m)
  assert.doesNotMatch(out, /dueDate|description/)
  assert.equal((await tw('tasks get WEB-1 --columns key,dueDate')).out, 'key      WEB-1\ndueDate\n')
})

test('no data moves the cursor of a terminal', async () => {
  const { tw, project, task } = await desk()
  await task({
    projectId: project.id,
    name: 'Red \u001b[31malert\u009b2J\u202e',
    description: 'One\n\u001b]0;title\u0007two',
  })
  for (const line of [
    'tasks list',
    'tasks get WEB-1',
    'tasks list --json',
    'tasks list --csv',
    'search alert',
    'tasks delete WEB-2',
  ]) {
    const { out, err } = await tw(line, { columns: 100, env: { NO_COLOR: '1' } })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
    assert.doesNotMatch(out + err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/, line)
  }
  assert.match(
    (await tw('tasks get WEB-1')).out,
    /name +Red \\u001b\[31malert\\u009b2J\\u202e\ndescription +One\n +\\u001b\]0;title\\u0007two/,
  )
  assert.equal(JSON.parse((await tw('tasks get WEB-1 --json')).out).name, 'Red \u001b[31malert\u009b2J\u202e')
})

test('--json prints the response, one item per line with --all; --csv has every field and opens safely', async () => {
  const { tw, project, owner } = await desk()
  const tasks = Array.from({ length: 60 }, (_, i) => ({
    method: 'POST',
    path: '/tasks',
    body: { projectId: project.id, name: `=1+${i}, "so"` },
  }))
  await owner.post('/bulk', { operations: tasks })
  const page = JSON.parse((await tw('tasks list --json --limit 2')).out)
  assert.equal(page.data.length, 2)
  assert.match(page.pagination.nextCursor, /^[0-9a-f-]{36}$/)
  const all = (await tw('tasks list --project WEB --json --all --limit 7')).out.trimEnd().split('\n')
  assert.deepEqual(
    all.map((line) => JSON.parse(line).number),
    Array.from({ length: 60 }, (_, i) => 60 - i),
  )
  const csv = (await tw('tasks list --all --csv --columns key,name,assignees')).out
  assert.equal(csv.split('\r\n')[0], 'key,name,assignees')
  assert.equal(csv.split('\r\n')[60], `WEB-1,"'=1+0, ""so""",`)
  await owner.post('/tags', { name: 'x;=1+1' })
  await owner.post('/tags', { name: '＝1' })
  await owner.post('/tags', { name: 'y;"=1' })
  assert.match((await tw('tags list --csv')).out, /,'＝1,.*,"x;'=1\+1",.*,"y;'""=1",/s)
  for (const { id } of (await owner.get('/tags')).body.data) await owner.delete(`/tags/${id}`)
  assert.match((await tw('tasks list --csv --limit 1')).out, /^id,projectId,workspaceId,/)
  const first = await tw('tasks list --limit 2')
  assert.match(first.err, /^There are more\. --all shows all; --cursor [0-9a-f-]{36} shows the next page\.\n$/)
  assert.equal((await tw('tasks list --all')).out.trimEnd().split('\n').length, 61)
  assert.equal((await tw('tags list')).err, 'Nothing found.\n')
  assert.equal((await tw('tags list --csv')).out, 'id,name,color,version,createdAt,updatedAt\r\n')
})

test('one resource prints a line for each field, and --columns chooses fields', async () => {
  const { tw, project, owner } = await desk()
  await owner.post('/tasks', { projectId: project.id, name: 'Fix it', dueDate: '2026-11-30', estimateSeconds: 5_400 })
  const { out } = await tw('tasks get WEB-1')
  assert.match(out, /^project +WEB$/m)
  assert.match(out, /^estimateSeconds +1h 30m$/m)
  assert.match(out, /^creator +Olivia Owner$/m)
  assert.match(out, /^createdAt +\d{4}-\d\d-\d\d \d\d:\d\d$/m)
  assert.equal(
    (await tw('tasks get WEB-1 --columns key,trackedSeconds,dueDate')).out,
    'key             WEB-1\ntrackedSeconds  0s\ndueDate         2026-11-30\n',
  )
  const created = await tw('tasks create --project WEB --name Other --assignee me')
  assert.match(created.out, /^projectId +WEB$/m)
  assert.match(created.out, /^assigneeIds +Olivia Owner$/m)
  const tag = await owner.post('/tags', { name: 'Urgent' })
  assert.match((await tw('tags update urgent --color #112233')).out, new RegExp(`^id +${tag.body.id}$`, 'm'))
  const wrong = await tw('tasks list --columns key,nam')
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /There is no column 'nam'\. Did you mean name\?/)
})

test('reports, searches and bulk writes are tables too', async () => {
  const { tw, project, task, owner } = await desk()
  const { id } = await task({ projectId: project.id, name: 'Plan the garden' })
  await owner.post('/time-entries', { taskId: id, startedAt: '2026-11-03T09:00:00Z', durationSeconds: 5_400 })
  await owner.post('/time-entries', { taskId: id, startedAt: '2026-11-30T21:00:00Z', durationSeconds: 60 })
  const report = await tw('reports time --group-by member,week --from 2026-11-01 --to 2026-11-30')
  assert.equal(report.err, '')
  assert.match(report.out, /^member +week +\w+/)
  assert.match(report.out, /^Olivia Owner +2026-11-02 +1h 30m/m)
  assert.match(report.out, /^total +1h 31m/m)
  assert.match((await tw('reports time --group-by member --csv')).out, /^memberId,member,/)
  assert.match((await tw('search garden')).out, /^kind +of +name +found\ntask +WEB-1 +Plan the garden/)
  const bulk = await tw('bulk --body -', {
    input: '[{"method":"PATCH","path":"/tasks/WEB-1","body":{"priority":"low"}}]',
  })
  assert.match(bulk.out, /^status +id +key +name\n +200 +.* WEB-1 +Plan the garden/)
})
