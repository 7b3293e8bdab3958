import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from '../../src/openapi/openapi.ts'
import { eventTypes, routes } from '../../src/resources/index.ts'
import { sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

interface Content {
  content: { 'application/json': { example: unknown } }
}
interface Operation {
  operationId: string
  requestBody?: Content
  responses: Record<string, Partial<Content> & { links?: Record<string, { operationId: string }> }>
}

const document = openapi(routes, eventTypes, 'test') as { paths: Record<string, Record<string, Operation>> }
const operations = routes.map((route) => {
  const operation = document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()]
  assert.ok(operation)
  return { route, operation }
})

test('every example of a body is valid, and every example response matches its schema', () => {
  for (const { route, operation } of operations) {
    const sent = operation.requestBody?.content['application/json'].example
    if (route.body) assert.deepEqual(route.body.safeParse(sent).error?.issues, undefined, operation.operationId)
    const answered = (operation.responses[200] ?? operation.responses[201])?.content?.['application/json'].example
    if (route.returns)
      assert.deepEqual(route.returns.safeParse(answered).error?.issues, undefined, operation.operationId)
  }
})

test('a created resource links to its GET, PATCH and DELETE and to the lists right below it', () => {
  const linked = Object.fromEntries(
    operations.flatMap(({ operation: { operationId, responses } }) =>
      responses[201]?.links ? [[operationId, Object.keys(responses[201].links)]] : [],
    ),
  )
  const called = (noun: string, ...verbs: string[]) => verbs.map((verb) => `${noun}.${verb}`)
  assert.deepEqual(linked['projects.create'], [
    ...called('projects', 'get', 'update', 'archive', 'unarchive', 'delete', 'restore'),
    ...called('projects.members', 'list', 'add'),
  ])
  assert.deepEqual(linked['projects.members.add'], called('projects.members', 'get', 'update', 'remove'))
  const all = new Set(operations.map(({ operation }) => operation.operationId))
  assert.equal(all.size, routes.length)
  assert.deepEqual(
    Object.values(linked).flatMap((names) => names.filter((name) => !all.has(name))),
    [],
  )
})

test('a response names at most 100 unknown fields of one place, and quotes at most 100 characters of each', async () => {
  const { owner } = await newWorld()
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${i}${'x'.repeat(500)}`, 1]))
  const { body } = await owner.patch('/organization', { settings: unknown, ...unknown })
  for (const messages of [body.details.formErrors, body.details.fieldErrors.settings]) {
    assert.equal(messages.length, 100)
    assert.ok(messages.every((message: string) => message.length < 200))
  }
})

test('an e-mail address can be in any script and follows RFC 5321; a refusal says which part is wrong', async () => {
  const { owner } = await newWorld()
  const invite = (email: string) => owner.post('/members', { name: 'Ann', email })
  const taken = [
    ...['ann@example.xn--p1ai', 'ann@xn--bcher-kva.example', 'ann@bücher.example', 'анна@почта.рф', '用户@例子.广告'],
    ...['/&=!#$%*?^`{|}~', "o'hara+work", 'a.b-c_d'].map((local) => `${local}@example.com`),
    `${'a'.repeat(64)}@example.com`,
    '"ann lee"@example.com',
  ]
  for (const email of taken) {
    const { status, body } = await invite(email)
    assert.deepEqual([status, body.email], [201, email])
  }
  const refused: [string, RegExp][] = [
    [`${'a'.repeat(65)}@example.com`, /before the @/],
    ['ann lee@example.com', /"ann lee" before the @/],
    ['.ann@example.com', /before the @/],
    ['"ann\nlee"@example.com', /before the @/],
    ['"ann\u2028lee"@example.com', /before the @/],
    ['ann\u200blee@example.com', /before the @/],
    ['ann@example', /"example" after the @/],
    ['ann@exa mple.com', /after the @/],
    ['ann@-example.com', /after the @/],
    ['ann@exa\u200bmple.com', /after the @/],
    ['ann@exa\u00admple.com', /after the @/],
    ['ann@bu\u0308cher.example', /already/],
    ['\ud800ann@example.com', /^Must be an e-mail address$/],
    ['ann', /^Must be an e-mail address$/],
    ['ann@lee@example.com', /^Must be an e-mail address$/],
  ]
  for (const [email, reason] of refused) {
    const { status, body } = await invite(email)
    assert.equal(status, 422, email)
    assert.match(body.details.fieldErrors.email.join(), reason)
  }
})

test('a word in a list of words can be given once: twice gets 422', async () => {
  const { owner } = await newWorld()
  assert.equal((await owner.get('/tasks?include=tags,assignees')).status, 200)
  const { status, body } = await owner.get('/tasks?include=tags,tags')
  assert.deepEqual([status, body.details.fieldErrors], [422, { include: ['Must not contain a word twice'] }])
})
