import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../../../src/db/at-once.ts'
import { foldingTexts } from '../../../src/db/lexemes.ts'
import { nextStep } from '../../../src/db/steps.ts'
import { matchingPiece } from '../../../src/search/matching-piece.ts'
import { fastest, longestTurn } from '../../support/turns.ts'
import { startServer } from '../../support/world.ts'

const { newWorld } = await startServer()

// what folding makes three times as long, a word each
const text = `${'ﬃ '.repeat(24_990)} zz`

test('a search that finds ten very long texts scans a few of them in each turn of the event loop', async () => {
  const { owner, task, project } = await newWorld()
  const { id: projectId } = await project()
  for (let n = 0; n < 10; n++) await task({ projectId, description: text })
  const oneMs = fastest(() => atOnce(matchingPiece(text, [{ words: ['zz'], prefix: false }])))
  const longestMs = await longestTurn(async () => {
    const reply = await owner.get('/search?q=zz&limit=50')
    assert.equal(reply.body.groups[0].hits.length, 10)
  })
  assert.ok(longestMs < 3 * oneMs, `a turn of ${longestMs} ms, where one text takes ${oneMs}`)
})

test('a task with a very long text makes nobody wait until it is folded', async () => {
  const { orgId, owner, project } = await newWorld()
  const { id: projectId } = await project()
  const oneMs = fastest(() => atOnce(foldingTexts(orgId, { name: 'Long', description: text })))
  const longestMs = await longestTurn(async () => {
    assert.equal((await owner.post('/tasks', { projectId, name: 'Long', description: text })).status, 201)
  })
  assert.ok(longestMs < oneMs / 2, `a turn of ${longestMs} ms, where it takes ${oneMs} at once`)
})

test('a hit in texts that are very long in total shows its piece, or the beginning of its text', async () => {
  const { owner, task, project } = await newWorld()
  const { id: projectId } = await project()
  const long = `${'か、'.repeat(24_990)} zz`
  for (let n = 0; n < 20; n++) await task({ projectId, description: long })
  const search = async (query: string) => (await owner.get(`/search?q=zz&kinds=task&${query}`)).body.groups[0]
  const ends = ({ hits }: { hits: { snippet: { text: string } }[] }) =>
    hits.map(({ snippet }) => snippet.text.endsWith(' zz'))
  const shown = ends(await search('limit=50'))
  assert.equal(shown.length, 20)
  assert.deepEqual([shown[0], shown[19]], [true, false])
  const { nextCursor } = await search('limit=15')
  assert.deepEqual(ends(await search(`limit=5&cursor=${nextCursor}`)), Array(5).fill(true))
})

test('an organization runs one step in each turn of the event loop, and another organization waits for one step', async () => {
  const order: string[] = []
  let turn = 0
  const turns: number[] = []
  const count = () => {
    turn++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const step = (orgId: string) => nextStep(orgId).then(() => [order.push(orgId), turns.push(turn)])
  await Promise.all([...Array.from({ length: 20 }, () => step('crowd')), step('one'), step('other')])
  clearImmediate(next)
  assert.deepEqual(order.slice(0, 3), ['crowd', 'one', 'other'])
  assert.equal(new Set(turns).size, 22)
})
