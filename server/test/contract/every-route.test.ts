import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../../src/access/caller.ts'
import { newId } from '../../src/db/ids.ts'
import { routes } from '../../src/resources/index.ts'
import { sample } from '../support/rounds.ts'
import { nounOf } from '../support/sample-bodies.ts'
import { hiddenNouns } from '../support/samples.ts'
import {
  bytes,
  fieldsOf,
  holdsIds,
  idFiltersOf,
  idsInPath,
  idsInQuery,
  inUsefulOrder,
  lineOf,
  rowsOf,
  startScenes,
} from '../support/scene.ts'
import type { Api } from '../support/world.ts'

const { db, api, scene } = await startScenes()
// for what is refused, and so changes nothing
const still = await scene()

const withBody = routes.filter(({ body }) => body !== undefined)
const writes = routes.filter(({ method }) => method !== 'GET')
const keyed = inUsefulOrder.filter(({ method }) => method === 'POST')

test('every body field that holds ids is declared as a reference, and its sample body can have it', () => {
  const { naming } = still
  for (const route of withBody) {
    const holding = fieldsOf(route.body).filter(holdsIds)
    // the rows of /bulk are bodies of other operations, checked as theirs
    const names = route.path === '/bulk' ? [] : holding.map(([name]) => name).sort()
    assert.deepEqual(names, Object.keys(route.references).sort(), lineOf(route))
    for (const name of names) assert.ok(nounOf(route, name) && naming(route, name, newId()), name)
  }
})

test('every operation without a key, or with a wrong one, gets 401', async () => {
  const { ask } = still
  const answers = new Set<string>()
  for (const route of routes) {
    for (const key of ['', 'tw_wrong']) answers.add(JSON.stringify(bytes(await ask(api(key), route))))
  }
  assert.equal(answers.size, 1)
  assert.match([...answers].join(), /"status":401.*"www-authenticate":"Bearer"/)
})

test('a malformed id in a path gets 404', async () => {
  const { ask, world } = still
  for (const route of routes) {
    for (const noun of idsInPath(route)) {
      for (const id of ['1', 'null', '%00', `${newId()}0`]) {
        assert.equal((await ask(world.owner, route, { things: { [noun]: id } })).status, 404, lineOf(route))
      }
    }
  }
})

test('the id of an invisible resource in a path gets 404, with the same bytes as an id that never existed', async () => {
  const { ask, world, elsewhere, foreign, hidden } = still
  const before = await rowsOf(db, world, elsewhere)
  for (const route of routes) {
    for (const noun of idsInPath(route)) {
      const answer = async (as: Api, id = '') => bytes(await ask(as, route, { things: { [noun]: id } }))
      const never = await answer(world.owner, newId())
      assert.equal(never.status, 404)
      assert.deepEqual(await answer(world.owner, foreign[noun]), never, `${lineOf(route)} shows another organization's`)
      if (!hiddenNouns.includes(noun)) continue
      assert.deepEqual(await answer(world.member, newId()), never)
      assert.deepEqual(await answer(world.member, hidden[noun]), never, `${lineOf(route)} shows a hidden ${noun}`)
    }
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

test('the key of an invisible resource in a path gets 404 too, with the same bytes as a key that never existed', async () => {
  const { ask, world, elsewhere } = await scene()
  for (const [{ project, task }, key] of [
    [world, 'HIDDEN'],
    [elsewhere, 'FOREIGN'],
  ] as const) {
    await task({ projectId: (await project({ key })).id })
  }
  const before = await rowsOf(db, world, elsewhere)
  for (const route of routes.filter((one) => idsInPath(one).some((noun) => noun in keysOf('')))) {
    const answer = async (as: Api, key: string) => bytes(await ask(as, route, { things: keysOf(key) }))
    const never = await answer(world.owner, 'NEVER')
    assert.equal(never.status, 404, lineOf(route))
    assert.deepEqual(await answer(world.owner, 'FOREIGN'), never, `${lineOf(route)} shows another organization's`)
    assert.deepEqual(await answer(world.member, 'HIDDEN'), await answer(world.member, 'NEVER'), lineOf(route))
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

/** What names a project, and its first task, by its key. */
const keysOf = (key: string) => ({ projects: key, tasks: `${key}-1` })

test('the id of an invisible resource in a body gets 404, with the same bytes as an id that never existed', async () => {
  const { ask, naming, world, elsewhere, foreign, hidden } = still
  const before = await rowsOf(db, world, elsewhere)
  for (const route of withBody) {
    for (const field of Object.keys(route.references)) {
      const noun = nounOf(route, field) ?? ''
      const answer = async (as: Api, id = '') => bytes(await ask(as, route, { body: naming(route, field, id) }))
      const never = await answer(world.owner, newId())
      assert.equal(never.status, 404, `${lineOf(route)} ${field}`)
      assert.deepEqual(await answer(world.owner, foreign[noun]), never, `${lineOf(route)} takes a foreign ${field}`)
      if (!hiddenNouns.includes(noun) || !(route.roles as readonly string[]).includes('member')) continue
      assert.deepEqual(await answer(world.member, newId()), never)
      assert.deepEqual(await answer(world.member, hidden[noun]), never, `${lineOf(route)} takes a hidden ${field}`)
    }
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

test('the id of an invisible resource in the query of a write gets 404, with the same bytes as an id that never existed', async () => {
  const { ask, world, elsewhere, foreign, hidden } = still
  const before = await rowsOf(db, world, elsewhere)
  const named = writes.flatMap((route) => idsInQuery(route).map((name) => ({ route, name })))
  assert.ok(named.length > 0)
  for (const { route, name } of named) {
    const noun = nounOf(route, name) ?? assert.fail(`${name} names an unknown noun`)
    const answer = async (as: Api, id = '') => bytes(await ask(as, route, { query: `?${name}=${id}` }))
    const never = await answer(world.owner, newId())
    assert.equal(never.status, 404, `${lineOf(route)} ${name}`)
    assert.deepEqual(await answer(world.owner, foreign[noun]), never, `${lineOf(route)} takes a foreign ${name}`)
    if (!hiddenNouns.includes(noun)) continue
    assert.deepEqual(await answer(world.member, newId()), never)
    assert.deepEqual(await answer(world.member, hidden[noun]), never, `${lineOf(route)} takes a hidden ${name}`)
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

test('an invisible resource gets 404 in the operations of a bulk too, by its id in a path, a query or a body', async () => {
  const { requestOf, naming, world, elsewhere, foreign, hidden } = still
  const before = await rowsOf(db, world, elsewhere)
  const bulk = async (as: Api, { method, path, body }: { method: string; path: string; body?: unknown }) => {
    const reply = await as.post('/bulk', { operations: [{ method, path, ...(body === undefined ? {} : { body }) }] })
    return { status: reply.status, text: reply.text }
  }
  const never = { status: 404, text: '{"error":"operations.0: Not found"}' }
  // what holds a secret, or is the operator's, is no part of a bulk, whatever it names
  for (const route of writes.filter(({ path, secret, roles }) => path !== '/bulk' && !secret && roles !== operator)) {
    const cases = [
      ...idsInPath(route).map((noun) => ({ noun, asked: (id: string) => ({ things: { [noun]: id } }) })),
      ...idsInQuery(route).map((name) => ({
        noun: nounOf(route, name) ?? '',
        asked: (id: string) => ({ query: `?${name}=${id}` }),
      })),
      ...Object.keys(route.references).map((field) => ({
        noun: nounOf(route, field) ?? '',
        asked: (id: string) => ({ body: naming(route, field, id) }),
      })),
    ]
    for (const { noun, asked } of cases) {
      const others = hiddenNouns.includes(noun) && (route.roles as readonly string[]).includes('member')
      const ids: [Api, string | undefined][] = [
        ...[newId(), foreign[noun]].map((id): [Api, string | undefined] => [world.owner, id]),
        ...(others ? [hidden[noun]] : []).map((id): [Api, string | undefined] => [world.member, id]),
      ]
      for (const [as, id = ''] of ids)
        assert.deepEqual(await bulk(as, requestOf(route, asked(id))), never, `${lineOf(route)} of ${noun}`)
    }
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

test('an invisible resource matches nothing as a filter, like an id that never existed', async () => {
  const { ask, world, foreign, hidden } = still
  for (const route of routes) {
    for (const filter of idFiltersOf(route)) {
      const noun = nounOf(route, filter) ?? assert.fail(`${filter} names an unknown noun`)
      const ofMember: [Api, string | undefined][] = [
        [world.member, hiddenNouns.includes(noun) ? hidden[noun] : newId()],
      ]
      const cases: [Api, string | undefined][] = [
        [world.owner, newId()],
        // what is in the trash is of any noun
        [world.owner, foreign[noun === 'trash' ? 'tags' : noun]],
        ...((route.roles as readonly string[]).includes('member') ? ofMember : []),
      ]
      for (const [as, id] of cases) {
        const { status, body } = await ask(as, route, { query: `?${filter}=${id}` })
        const found =
          body.data ?? body.groups ?? body.stages?.flatMap(({ tasks }: { tasks: object[] }) => tasks) ?? body
        assert.deepEqual([status, found], [200, []], `${lineOf(route)} ${filter}`)
      }
      const { status, body } = await ask(world.owner, route, { query: `?${filter}=1` })
      assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, [filter]])
    }
  }
})

test('an unknown query parameter gets 422, which names it, and nothing is written', async () => {
  const { ask, world, elsewhere } = still
  const before = await rowsOf(db, world, elsewhere)
  for (const route of routes) {
    const { status, body } = await ask(world.owner, route, { query: '?colour=1' })
    assert.deepEqual([status, body?.details?.formErrors], [422, ['Unknown parameter: colour']], lineOf(route))
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

test('an unknown field of a body gets 422, which names it, and nothing is written', async () => {
  const { ask, bodies, world, elsewhere } = still
  const before = await rowsOf(db, world, elsewhere)
  for (const route of withBody) {
    const { status, body } = await ask(world.owner, route, { body: { ...bodies(route)[0], colour: 1 } })
    assert.deepEqual([status, body.details.formErrors], [422, ['Unknown field: colour']], lineOf(route))
  }
  assert.deepEqual(await rowsOf(db, world, elsewhere), before)
})

test('any value in a field of a body gets no 500, and gets 422 if its schema refuses it', async () => {
  const { ask, bodies, world } = await scene()
  const texts = ['', ' ', '\0', '\ud800', 'x'.repeat(70_000)]
  const wrong = [null, true, -1, 1.5, 1e300, ...texts, [], [null], ['x', 'x'], {}]
  let fields = 0
  for (const route of withBody) {
    for (const [field] of fieldsOf(route.body)) {
      const first = fields++ % wrong.length
      for (const value of sample([...wrong.slice(first), ...wrong.slice(0, first)])) {
        const sent = { ...bodies(route)[0], [field]: value }
        const { status, body } = await ask(world.owner, route, { body: sent })
        const said = `${lineOf(route)} ${field}: ${JSON.stringify(value).slice(0, 40)} is ${status}`
        assert.ok(status < 500, said)
        if (route.body?.safeParse(sent).success) continue
        assert.equal(status, 422, said)
        const named = Object.keys(body.details.fieldErrors).some((path) => path.split('.')[0] === field)
        assert.ok(named || body.details.formErrors.length > 0, said)
      }
      // so that no field takes just anything
      assert.equal((await ask(world.owner, route, { body: { ...bodies(route)[0], [field]: [{}] } })).status, 422)
    }
    for (const body of ['null', '[]', '1', '"x"']) {
      const { status } = await ask(world.owner, route, { body, headers: { 'content-type': 'application/json' } })
      assert.equal(status, 422, `${lineOf(route)} ${body}`)
    }
  }
})

test('every list refuses limits outside 1 to 100, a search refuses limits above 50, and no other read takes a limit', async () => {
  const { ask, world } = still
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { body: answered = {} } = await ask(world.owner, route)
    const isSearch = 'groups' in answered
    const isList = 'total' in answered || 'pagination' in answered || isSearch
    assert.equal(
      fieldsOf(route.query).some(([name]) => name === 'limit'),
      isList,
      lineOf(route),
    )
    for (const query of isList ? ['0', isSearch ? '51' : '101', '-1', '1.5', 'abc', '', '1&limit=1'] : []) {
      const { status, body } = await ask(world.owner, route, { query: `?limit=${query}` })
      assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['limit']], `${lineOf(route)} ${query}`)
    }
  }
})

test('every POST with a key takes effect once: a repeated request is replayed byte for byte, another body gets 409', async () => {
  const { ask, bodies, world } = await scene()
  for (const route of keyed) {
    const headers = { 'idempotency-key': `"${newId()}"` }
    const [body] = bodies(route)
    const first = await ask(world.owner, route, { body, headers })
    assert.ok(first.status < 300, `${lineOf(route)}: ${first.text}`)
    const before = await rowsOf(db, world)
    const again = await ask(world.owner, route, { body, headers })
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const { 'idempotent-replayed': _, ...headersAgain } = bytes(again).headers
    assert.deepEqual({ ...bytes(again), headers: headersAgain }, bytes(first))
    assert.equal((await ask(world.owner, route, { body: { ...body, other: 1 }, headers })).status, 409)
    assert.deepEqual(await rowsOf(db, world), before)
  }
})
