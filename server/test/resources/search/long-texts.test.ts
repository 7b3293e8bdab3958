import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingPiece } from '../../../src/search/matching-piece.ts'
import { nextStep } from '../../../src/search/steps.ts'
import { startServer } from '../../support/world.ts'

const { newWorld } = await startServer()

const text = `${'\ufdfa'.repeat(49_990)} zz`

test('a search that finds very long texts keeps nobody waiting for more than a few of them', async () => {
  const { owner, task, project } = await newWorld()
  const { id: projectId } = await project()
  for (let n = 0; n < 25; n++) await task({ projectId, description: text })
  const oneMs = Math.max(
    ...Array.from({ length: 9 }, () => {
      const beganMs = performance.now()
      matchingPiece(text, [{ words: ['zz'], prefix: false }])
      return performance.now() - beganMs
    }),
  )
  const { longestMs, reply } = await watchingTurns(() => owner.get('/search?q=zz&limit=50'))
  assert.equal(reply.body.groups[0].hits.length, 25)
  assert.ok(longestMs < 10 * oneMs, `a turn of ${longestMs} ms, where one text takes ${oneMs}`)
})

test('what is found in texts that are very long in all is shown with its piece, or with the beginning of its text', async () => {
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

test('steps of an organization come one in a turn of the event loop, and those of another one wait for one of them', async () => {
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

/** How long the longest turn of the event loop took meanwhile. */
async function watchingTurns<T>(work: () => Promise<T>): Promise<{ longestMs: number; reply: T }> {
  let [longestMs, lastMs] = [0, performance.now()]
  const look = () => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    next = setImmediate(look)
  }
  let next = setImmediate(look)
  const reply = await work().finally(() => clearImmediate(next))
  return { longestMs, reply }
}
