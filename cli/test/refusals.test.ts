import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { afterwards } from '../../server/test/support/afterwards.ts'
import { startDesk } from './support/desk.ts'
import { typingTo } from './support/typing.ts'

const { desk } = await startDesk()

test('an error in a field is reported for its flag, and --verbose shows the request', async () => {
  const { tw } = await desk()
  const { code, out, err } = await tw(
    'tasks create --project WEB --name x --due-date soon --estimate 0 --priority huge',
  )
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^Validation failed\n/)
  assert.match(err, /^ {2}--due-date: Must be a date/m)
  assert.match(err, /^ {2}--priority: Must be one of/m)
  assert.doesNotMatch(err, /request/)
  const verbose = await tw('tasks list --limit 1000 --verbose')
  assert.match(verbose.err, /^ {2}--limit: /m)
  assert.match(verbose.err, /^status 422, [a-z_]+, request [\w-]+$/m)
  assert.match(
    (await tw('time-entries create --started-at 2026-11-03T09:00')).err,
    /Exactly one of taskId and subtaskId is required/,
  )
  assert.equal((await tw('tasks get WEB-99')).err, 'Not found\n')
})

test('a response of something in front of the server is reported as such, with where to look', async (t) => {
  for (const status of [401, 403, 502]) {
    const front = createServer((_, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>'),
    )
    front.listen(0, '127.0.0.1')
    await once(front, 'listening')
    afterwards(t, async () => void front.close())
    const tw = typingTo(`http://127.0.0.1:${(front.address() as AddressInfo).port}`, (await desk()).owner.key)
    const { code, err } = await tw('tags create --name Urgent --timeout 1s')
    assert.equal(code, 3, `${status}: ${err}`)
    assert.match(err, /^A proxy in front of the server responded instead\. Check the URL, HTTPS_PROXY/m)
    assert.doesNotMatch(err, /tw login/)
  }
})

test('unknown words and flags are refused, with similar ones', async () => {
  const { tw } = await desk()
  const cases: [string, string][] = [
    ['prjects list', "There is no command 'prjects'. Did you mean projects?\n"],
    ['tasks lst', "tasks has no 'lst'. Did you mean list?\n"],
    ['tasks read WEB-1', "tasks has no 'read'. Did you mean get?\n"],
    ['constructor list', "There is no command 'constructor'. See tw help.\n"],
    ['tags toString', "tags has no 'toString'. Known: list, create, get, update, delete, restore.\n"],
    ['tasks list --__proto__ x', 'There is no flag --__proto__.\n'],
    ['tasks list --asignee me', 'There is no flag --asignee. Did you mean --assignee?\n'],
    ['tasks list --project', '--project needs a value: --project=<project>.\n'],
    ['tasks list --limit x', '--limit takes a whole number.\n'],
    ['tasks create --name x', 'tw tasks create needs --project. See tw tasks create --help.\n'],
    ['tasks update WEB-1', 'Give at least one field to update. See tw tasks update --help.\n'],
    ['tasks get', 'tw tasks get needs <task>. See tw tasks get --help.\n'],
    ['tasks get WEB-1 WEB-2', "Unexpected argument 'WEB-2': tw tasks get takes <task>.\n"],
    ['tasks list --json --csv', '--json and --csv exclude each other. Use one of them.\n'],
    ['tasks get WEB-1 --all', '--all works only with lists.\n'],
    ['tasks list --dry-run', '--dry-run works only with writes.\n'],
    ['tags list --timeout soon', '--timeout takes a duration such as 30s or 2m.\n'],
  ]
  for (const [line, said] of cases) {
    const { code, out, err } = await tw(line)
    assert.deepEqual([line, code, out, err], [line, 2, '', said])
  }
})

test('a write takes --dry-run, a version check, and an idempotency key', async () => {
  const { tw, tag } = await desk()
  const dry = await tw('tags create --name Someday --dry-run')
  assert.match(dry.out, /^name +Someday$/m)
  assert.equal(dry.err, 'This was a dry run. Nothing was changed.\n')
  assert.equal((await tw('tags list')).out, '')
  const first = JSON.parse((await tw('tags create --name Now --idempotency-key one --json')).out)
  assert.equal(JSON.parse((await tw('tags create --name Now --idempotency-key one --json')).out).id, first.id)
  assert.equal((await tw('tags create --name Other --idempotency-key one')).code, 1)
  assert.equal((await tw('tags update now --color #112233 --if-match 1')).code, 0)
  const stale = await tw('tags update now --color #445566 --if-match 1')
  assert.equal(stale.code, 1)
  const { id } = await tag({ name: 'Gone' })
  const deleted = await tw(`tags delete ${id}`)
  assert.deepEqual([deleted.code, deleted.out, deleted.err], [0, '', 'Done.\n'])
})

test('a body comes from a file or a pipe, and flags override it', async () => {
  const { tw, project } = await desk()
  const body = JSON.stringify({ projectId: project.id, name: 'From a pipe', priority: 'low' })
  const { out } = await tw('tasks create --body - --priority high --json', { input: body })
  assert.deepEqual([JSON.parse(out).name, JSON.parse(out).priority], ['From a pipe', 'high'])
  assert.match((await tw('tasks create --body -', { input: '{' })).err, /^Standard input is not valid JSON/)
  assert.equal((await tw('tasks create --body @/nowhere.json')).err, 'Cannot read /nowhere.json (ENOENT).\n')
  await tw('comments create WEB-1 --body -', { input: 'Said\nat length\n' })
  assert.equal(JSON.parse((await tw('comments list --json')).out).data[0].body, 'Said\nat length')
})

test('tw api sends any request that no table lists', async () => {
  const { tw } = await desk()
  for (const name of ['a', 'b', 'c'])
    await tw(['api', 'post', 'tags', '--field', `name=${name}`, '--raw-field', 'color=#112233'])
  const all = await tw('api GET /tags --paginate --field limit=2')
  assert.deepEqual(
    all.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name),
    ['a', 'b', 'c'],
  )
  const { id } = JSON.parse(all.out.split('\n')[0] ?? '')
  assert.equal(JSON.parse((await tw(`api PATCH /tags/${id} --field color=null`)).out).color, null)
  assert.equal((await tw(`api DELETE /api/v1/tags/${id} --header "X-Request-Id: mine"`)).code, 0)
  assert.equal(JSON.parse((await tw('api GET /tags?q=a')).out).total, 0)
  assert.match((await tw('api GET /tags --field constructor=1')).err, /--constructor|: constructor/)
  assert.equal((await tw('api GET /tags/../members')).code, 2)
  assert.equal((await tw('tags get ..')).code, 2)
  assert.equal((await tw('webhooks get ..')).code, 2)
})
