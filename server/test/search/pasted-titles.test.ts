import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

/** The names of what a search finds, in alphabetical order. */
async function found({ get }: Api, q: string): Promise<string[]> {
  const { status, text, body } = await get(`/tasks?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, `${q}: ${text}`)
  return body.data.map(({ name }: { name: string }) => name).toSorted()
}

async function having(...names: string[]) {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  for (const name of names) await task({ projectId, name })
  return owner
}

test('a title that is pasted as the query finds its task, with any characters in it', async () => {
  const titles = [
    'Add --verbose flag',
    'Fix -Wall warnings',
    'Cold store below -2 °C',
    'Say "never -again" twice',
    'Tea or milk or water or juice or wine or beer or mead or cider or rum or nothing',
    '-5 % on all orders',
    'Ask: login/logout (or "sign in") – why?',
    'Fix issue #12 *now*',
  ]
  const owner = await having(...titles)
  for (const title of titles) {
    assert.deepEqual(await found(owner, title), [title], title)
    assert.deepEqual(await found(owner, title.toUpperCase()), [title], title)
    const { body } = await owner.get(`/search?kinds=task&q=${encodeURIComponent(title)}`)
    assert.equal(body.groups?.[0]?.hits[0]?.name, title, title)
  }
})

test('a minus excludes only the word or phrase directly after it, if it begins a word of the query', async () => {
  const owner = await having('red fox', 'red panda', 'red -fox hunt', 'well-known red')
  assert.deepEqual(await found(owner, 'red -fox'), ['red -fox hunt', 'red panda', 'well-known red'])
  assert.deepEqual(await found(owner, 'red --fox'), ['red -fox hunt', 'red fox'])
  assert.deepEqual(await found(owner, 'red - panda'), ['red panda'])
  assert.deepEqual(await found(owner, 'well-known'), ['well-known red'])
})

test('by relevance a name that equals the query comes first, whole words before word beginnings, and names before descriptions', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  await task({ projectId, name: 'Plan', priority: 'high' })
  await task({ projectId, name: 'Holidays', description: 'Make a plan' })
  await task({ projectId, name: 'The plan of plans', priority: 'high' })
  await task({ projectId, name: 'Planning' })
  const ranked = async (query: string) =>
    (await owner.get(`/tasks?sort=relevance&${query}`)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await ranked('q=plan*'), ['Plan', 'The plan of plans', 'Planning', 'Holidays'])
  assert.deepEqual(await ranked('q=plan&priority=high'), ['Plan', 'The plan of plans'])
})
