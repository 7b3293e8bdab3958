import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { afterwards } from '../../server/test/support/afterwards.ts'
import { startDesk } from './support/desk.ts'
import { typingTo } from './support/typing.ts'

const { server, desk } = await startDesk()

async function taggedTask() {
  const { tw, owner, member, project, task, tag } = await desk()
  const ids: Record<string, string> = {}
  for (const name of ['a', 'b', 'c', 'b, now', '-d']) ids[name] = (await tag({ name })).id
  const { id } = await task({ projectId: project.id, name: 'Fix it', tagIds: [ids.a, ids.c] })
  const tags = async () => {
    const { body } = await owner.get(`/tasks/${id}?include=tags`)
    return body.tags.map(({ name }: { name: string }) => name).toSorted()
  }
  return { tw, owner, member, id, ids, tags }
}

test('names with + are added to a task, names with - are removed, and all others stay', async () => {
  const { tw, owner, member, id, ids, tags } = await taggedTask()
  const after = async (...flags: string[]) => {
    const { code, err } = await tw(['tasks', 'update', 'WEB-1', ...flags])
    assert.deepEqual([code, err], [0, ''])
    return tags()
  }
  assert.deepEqual(await after('--tag', '+b', '--tag', '-c'), ['a', 'b'])
  assert.deepEqual(await after('--tag', '-a,+c , +b, now'), ['b', 'b, now', 'c'])
  assert.deepEqual(await after('--tag', `+${ids['-d']}`, '--tag=-b', '--name', 'Other'), ['-d', 'b, now', 'c'])
  assert.deepEqual(await after('--tag', 'a'), ['a'])
  await after('--assignee', '+me', '--assignee', `+${member.memberId}`, '--tag', '-a')
  const { assigneeIds, tagIds, name } = (await owner.get(`/tasks/${id}`)).body
  assert.deepEqual([assigneeIds, tagIds, name], [[owner.memberId, member.memberId].sort(), [], 'Other'])
})

test('names with and without a sign cannot be mixed, and nothing changes', async () => {
  const { tw, tags } = await taggedTask()
  assert.deepEqual(await tw('tasks update WEB-1 --tag +b --tag c'), {
    code: 2,
    out: '',
    err: '--tag: write + or - before every name, or before none.\n',
  })
  assert.deepEqual(await tags(), ['a', 'c'])
})

test('a relative edit keeps what somebody else changes between its read and its write', async (t) => {
  const { owner, id, ids, tags } = await taggedTask()
  let writes = 0
  const front = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    // somebody else is faster than the first write
    if (method === 'PATCH' && ++writes === 1) await owner.patch(`/tasks/${id}`, { tagIds: [ids.a, ids.c, ids['-d']] })
    const { host: _, connection: __, ...passed } = headers as Record<string, string>
    const body = method === 'PATCH' ? { body: await text(request) } : {}
    const answer = await fetch(server.base + url, { method, headers: passed, ...body })
    const [type = 'application/json', code = ''] = ['content-type', 'x-error-code'].map(
      (name) => answer.headers.get(name) ?? undefined,
    )
    response.writeHead(answer.status, { 'content-type': type, 'x-error-code': code }).end(await answer.text())
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  afterwards(t, async () => void front.close())
  const tw = typingTo(`http://127.0.0.1:${(front.address() as AddressInfo).port}`, owner.key)
  const { code, err } = await tw('tasks update WEB-1 --tag +b --tag -c')
  assert.deepEqual([code, err, writes], [0, '', 2])
  assert.deepEqual(await tags(), ['-d', 'a', 'b'])
})

test('with --if-match a relative update is refused if the task changed', async () => {
  const { tw, owner, id, tags } = await taggedTask()
  await owner.patch(`/tasks/${id}`, { priority: 'high' })
  const { code, err } = await tw(`tasks update ${id} --tag +b --if-match ${id}.1`)
  assert.deepEqual([code, /changed since you read it/.test(err)], [1, true])
  assert.deepEqual(await tags(), ['a', 'c'])
})
