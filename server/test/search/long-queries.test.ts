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

test('a search for many words finds what has all of them', async () => {
  const { callers, id } = await tasksOfManyWords()
  for (const caller of callers) {
    const found = await caller.get(`/tasks?${askedFor(30)}`)
    assert.deepEqual(
      found.body.data.map((task: { id: string }) => task.id),
      [id],
    )
  }
})

test('a search for many words takes no more joins than a search for ten', looks, async () => {
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

test('a query has at most eight alternatives: further ones take or as a plain word', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const ofAlternatives = (count: number) => words.slice(0, count).join(' or ')
  await task({ projectId, name: ofAlternatives(9) })
  await task({ projectId, name: words[0] })
  const found = async (q: string) => (await owner.get(`/tasks?${asked(q)}`)).body.data.length
  assert.deepEqual([await found(ofAlternatives(8)), await found(ofAlternatives(9))], [2, 1])
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
