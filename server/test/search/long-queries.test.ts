import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onPlainPostgres } from '../support/citus.ts'
import { joinsOf, plannedServer } from '../support/slow/plans.ts'
import { created } from '../support/world.ts'

const { newWorld, planner } = await plannedServer()

const words = Array.from({ length: 40 }, (_, n) => `word${n}`)
const asked = (q: string) => `q=${encodeURIComponent(q)}`
const askedFor = (count: number) => asked(words.slice(0, count).join(' '))
const looks = onPlainPostgres('it looks into plans')

test('to look for many words finds what has all of them', async () => {
  const { callers, id } = await tasksOfManyWords()
  for (const caller of callers) {
    const found = await caller.get(`/tasks?${askedFor(30)}`)
    assert.deepEqual(
      found.body.data.map((task: { id: string }) => task.id),
      [id],
    )
  }
})

test('to look for many words takes no more joins than to look for ten', looks, async () => {
  const { callers } = await tasksOfManyWords()
  for (const caller of callers) {
    for (const path of ['/tasks', '/search']) {
      const joins = async (count: number) => {
        const plans = await planner.plansOf(async () => {
          const { status, text } = await caller.get(`${path}?${askedFor(count)}`)
          assert.equal(status, 200, text)
        })
        return Math.max(...plans.map(joinsOf))
      }
      assert.equal(await joins(30), await joins(10), path)
    }
  }
})

test('a query has eight alternatives at most: 422 for more', async () => {
  const { owner } = await newWorld()
  for (const path of ['/search?', '/tasks?', '/reports/tasks?groupBy=project&']) {
    const ofAlternatives = (count: number) => owner.get(`${path}${asked(words.slice(0, count).join(' or '))}`)
    assert.equal((await ofAlternatives(8)).status, 200, path)
    const { status, body } = await ofAlternatives(9)
    assert.deepEqual([status, body.details?.fieldErrors], [422, { q: ['Must have at most 8 alternatives between or'] }])
  }
})

/** Two tasks, of which one has thirty words, and the other all but one of them; and who sees both. */
async function tasksOfManyWords() {
  const { owner, member, project, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'viewer')
  const all = words.slice(0, 30).join(' ')
  const { id } = await created(owner.post('/tasks', { projectId, name: all.slice(0, 250), description: all }))
  await created(owner.post('/tasks', { projectId, name: 'Another one', description: words.slice(0, 29).join(' ') }))
  return { callers: [owner, member], id }
}
