import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/asking.ts'
import { type Api, created, startServer } from '../support/world.ts'

const { newWorld } = await startServer()

// each of these is six characters of JSON
const long = (length: number) => '\u0001'.repeat(length)

test('a cursor page of very long items ends before its limit, and the next one continues: each item comes once, in order', async () => {
  const { owner, member, project, task } = await newWorld()
  const { id: projectId } = await project()
  await created(owner.post(`/projects/${projectId}/members`, { memberId: member.memberId, role: 'viewer' }))
  const priorities = ['low', 'high', 'none']
  for (let n = 0; n < 24; n++) await task({ projectId, description: long(50_000), priority: priorities[n % 3] })
  for (const api of [owner, member])
    for (const query of [
      '',
      '&sort=priority',
      '&sort=-dueDate',
      '&fields=id,description',
      '&include=tags',
      '&priority=low,high',
    ])
      await walks(api, `/tasks?limit=100${query}`)
})

test('a page of long comments by cursor also ends early, and the next one continues', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const say = { method: 'POST', path: `/tasks/${id}/comments`, body: { body: `${long(19_900)}.` } }
  for (let n = 0; n < 6; n++) assert.equal((await owner.post('/bulk', { operations: Array(8).fill(say) })).status, 200)
  await walks(owner, '/comments?limit=100')
  await walks(owner, '/comments?limit=100&sort=createdAt')
})

test('the texts of a page leave as the database made them: no long text is parsed or rebuilt', async (t) => {
  const { base, newWorld } = await startServer({ checkAnswers: false })
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  for (let n = 0; n < 5; n++) await task({ projectId, description: long(20_000) })
  const { parse, stringify } = JSON
  let longest = 0
  const noting = (text: string | undefined) => {
    longest = Math.max(longest, text?.length ?? 0)
    return text
  }
  t.mock.method(JSON, 'parse', (text: string) => parse(noting(text) ?? ''))
  t.mock.method(JSON, 'stringify', (value: unknown) => noting(stringify(value)))
  for (const path of ['/tasks', '/tasks?include=subtasks,trackedSeconds', '/events']) {
    longest = 0
    const { status, text } = await ask(`${base}/api/v1${path}`, 'GET', { authorization: `Bearer ${owner.key}` })
    assert.equal(status, 200)
    assert.ok(longest < text.length / 10, `${path}: ${longest} of ${text.length}`)
  }
})

/** Pages are short, and hold in all what one of ids alone holds. */
async function walks({ get }: Api, path: string): Promise<void> {
  const ids: string[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { status, body, text } = await get(cursor === '' ? path : `${path}&cursor=${cursor}`)
    assert.equal(status, 200, text)
    assert.ok(Buffer.byteLength(text) < 4_800_000, `${path}: ${text.length}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.pagination.nextCursor
  }
  const { body } = await get(path.includes('fields') ? path.replace('id,description', 'id') : `${path}&fields=id`)
  assert.deepEqual(
    ids,
    body.data.map(({ id }: { id: string }) => id),
    path,
  )
  assert.equal(pages, 2, path)
}
