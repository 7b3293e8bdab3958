import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, created, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

/** Texts in scripts that put no spaces between words, with parts that stand in them, and what does not. */
const texts = [
  {
    text: '東京都庁の会議室を予約',
    parts: ['東京', '京都', '会議室', '予約', '約', '東', '都庁の会'],
    others: ['京東', '東都'],
  },
  { text: '预订会议室', parts: ['会议', '会议室', '室', '订会'], others: ['室会'] },
  { text: '서울에서 회의', parts: ['서울', '울에', '회의', '의'], others: ['에울'] },
  { text: 'จองห้องประชุมใหญ่', parts: ['ห้อง', 'ประชุม', 'ใหญ่'], others: ['ชุมห้อง'] },
  { text: 'iPhoneケース2個', parts: ['iphone', 'ケース', 'ース', '2個', 'iphone ケース'], others: ['スケ'] },
]

const ask = async ({ get }: Api, path: string, q: string) => {
  const { status, body, text } = await get(`${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, `${path} ${q}: ${text}`)
  return body
}

for (const { text, parts, others } of texts) {
  test(`any part of ${text} finds it: in tasks, in the global search, and by the q of members, tags and types`, async () => {
    const { owner, project, task, tag, taskType } = await newWorld()
    const { id: projectId } = await project()
    const { id } = await task({ projectId, name: text })
    await task({ projectId, name: 'Another', description: 'Something else' })
    const { id: inText } = await task({ projectId, name: 'Long', description: `${'x '.repeat(300)} ${text}` })
    const said = await created(owner.post(`/tasks/${id}/comments`, { body: `a ${text} b` }))
    await tag({ name: text })
    await taskType({ name: text })
    await created(owner.post('/members', { name: text, email: 'somebody@example.com' }))
    for (const [all, isThere] of [
      [parts, true],
      [others, false],
    ] as const)
      for (const part of all) {
        const ids = (body: { data: { id: string }[] }) => body.data.map((one) => one.id)
        assert.deepEqual(ids(await ask(owner, '/tasks', part)), isThere ? [inText, id] : [], part)
        assert.deepEqual(ids(await ask(owner, '/tasks?sort=relevance', part)), isThere ? [id, inText] : [], part)
        assert.deepEqual(ids(await ask(owner, '/tasks', `-"${part}" something`)).length, 1, part)
        for (const path of ['/tags', '/task-types', '/members'])
          assert.equal((await ask(owner, path, part)).total, isThere ? 1 : 0, `${path} ${part}`)
        const { groups } = await ask(owner, '/search?kinds=task,comment', part)
        if (!isThere) assert.deepEqual(groups, [], part)
        else {
          const [hits, comments] = groups.map(({ hits }: { hits: unknown[] }) => hits)
          assert.equal(hits.length, 2, part)
          assert.equal(comments[0].id, said.id)
          const { text: piece, matches } = comments[0].snippet
          const shown = matches.map(({ start, end }: { start: number; end: number }) => piece.slice(start, end))
          assert.deepEqual(shown.join('').toLowerCase(), part.replace(' ', '').toLowerCase(), part)
        }
      }
  })
}

test('symbols and marks without width separate words: in tasks, and by the q of members, tags and types', async () => {
  const { owner, project, task, tag, taskType } = await newWorld()
  const { id: projectId } = await project()
  for (const [i, separator] of ['🚀', '№', '\u200b', '\u2068', '™', '/', '\u00a0', '。'].entries()) {
    const [one, other] = [`alpha${i}`, `beta${i}`]
    const name = `${one}${separator}${other}`
    await task({ projectId, name })
    await tag({ name })
    await taskType({ name })
    await created(owner.post('/members', { name, email: `somebody${i}@example.com` }))
    for (const q of [one, other, name, `${other} ${one}`]) {
      assert.equal((await ask(owner, '/tasks', q)).data.length, 1, `${JSON.stringify(separator)}: ${q}`)
      for (const path of ['/tags', '/task-types', '/members'])
        assert.equal((await ask(owner, path, q)).total, 1, `${path} ${JSON.stringify(separator)}: ${q}`)
    }
  }
})
