import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../../server/src/access/caller.ts'
import { routes } from '../../server/src/resources/index.ts'
import { asNamed, inUsefulOrder, startScenes } from '../../server/test/support/scene.ts'
import { operatorToken } from '../../server/test/support/world.ts'
import { operations } from '../src/generated/table.ts'
import { Answer, Pages, Taskwright } from '../src/index.ts'

const { base, scene } = await startScenes()

type Method = (...given: unknown[]) => unknown

/** The methods of a client by the names of their operations. */
function methodsOf(client: object): Map<string, Method> {
  const known = new Map<string, Method>()
  const look = (place: object, nouns: readonly string[]) => {
    for (const [name, found] of Object.entries(place)) {
      if (typeof found === 'function') known.set([...nouns, name].join('.'), found)
      else look(found, [...nouns, name])
    }
  }
  look(client, [])
  return known
}

test('a client has a method for each operation, one for the stream of events, and no other', () => {
  const methods = methodsOf(new Taskwright({ baseUrl: base, apiKey: 'tw_none' }))
  assert.ok(methods.delete('events.stream'))
  assert.deepEqual([...methods.keys()].toSorted(), routes.map(({ name }) => name).toSorted())
  assert.deepEqual(
    operations.map(([name, method, path]) => [name, method, path]),
    routes.map(({ name, method, path }) => [name, method, path]),
  )
})

test('each method sends its one request, and the server accepts it', async () => {
  const { world, requestOf } = await scene()
  const sent: string[] = []
  const fetch: typeof globalThis.fetch = (url, init) => {
    sent.push(`${init?.method} ${new URL(String(url)).pathname} ${init?.body ?? ''}`.trim())
    return globalThis.fetch(url, init)
  }
  const [client, ofOperator] = [world.owner.key, operatorToken].map((apiKey) =>
    methodsOf(new Taskwright({ baseUrl: base, apiKey, fetch, retries: 0 })),
  )
  const kinds = new Map<string, string>(operations.map(([name, , , kind]) => [name, kind]))
  const refused: string[] = []
  for (const route of inUsefulOrder) {
    const { path, body } = requestOf(route, asNamed(route))
    const [place = '', search] = path.split('?')
    const ids = idsIn(route.path, place)
    const kind = kinds.get(route.name)
    const input = kind === 'plain' ? [] : [kind === 'body' ? body : Object.fromEntries(new URLSearchParams(search))]
    const method = (route.roles === operator ? ofOperator : client)?.get(route.name)
    const answer = method?.(...ids, ...input, { timeoutMs: 60_000 }) as Answer<unknown>
    assert.ok(kind === 'pages' ? answer instanceof Pages : answer instanceof Answer, route.name)
    await answer.then(undefined, (error) => refused.push(`${route.name}: ${error}`))
    const text = kind === 'body' ? JSON.stringify(body) : ''
    assert.deepEqual(sent.splice(0), [`${route.method} /api/v1${place} ${text}`.trim()])
  }
  assert.deepEqual(refused, [])
})

test('each list can be read to its end, in small pages and in large ones', async () => {
  const { world, requestOf } = await scene()
  const client = methodsOf(new Taskwright({ baseUrl: base, apiKey: world.owner.key }))
  const lengths: number[] = []
  for (const route of routes.filter(({ name }) => isList(name))) {
    const ids = idsIn(route.path, requestOf(route).path)
    const walked = async (limit: number) => {
      const items: unknown[] = []
      const list = client.get(route.name)?.(...ids, { limit })
      assert.ok(list instanceof Pages)
      // when a key was last used is noted while it is used
      for await (const item of list) items.push({ ...Object(item), lastUsedAt: null, version: null })
      return items
    }
    const all = await walked(100)
    assert.deepEqual(await walked(2), all, route.name)
    assert.ok(all.length > 0, `${route.name} has nothing`)
    lengths.push(all.length)
  }
  // two of these pages and more
  assert.ok(lengths.filter((length) => length > 4).length > 1, String(lengths))
})

const isList = (wanted: string) => operations.some(([name, , , kind]) => name === wanted && kind === 'pages')

/** The ids in a path, by where its template has them. */
function idsIn(template: string, path: string): string[] {
  const [parts, given] = [template.split('/'), path.split('?')[0]?.split('/') ?? []]
  return given.filter((_, i) => parts[i]?.startsWith('{'))
}
