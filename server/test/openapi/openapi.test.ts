import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/resources/index.ts'
import { sharedServer } from '../support/world.ts'

type Json = Record<string, unknown>

const { base } = await sharedServer()
const response = await fetch(`${base}/api/v1/openapi.json`)
const document = (await response.json()) as Json & { paths: Record<string, Record<string, Json>> }
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ line: `${method.toUpperCase()} ${path}`, operation })),
)

/** Every object within a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  yield value as Json
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

test('/api/v1/openapi.json is an OpenAPI 3.1 document, readable without a key', () => {
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(String(document.openapi), /^3\.1\.\d+$/)
  for (const part of ['info', 'paths', 'components']) assert.equal(typeof document[part], 'object')
})

test('a client that already has the document gets 304, and can store it but must revalidate it', async () => {
  const etag = response.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]{22}-gzip"$/)
  assert.equal(response.headers.get('cache-control'), 'no-cache')
  const ask = (known: string, method = 'GET') =>
    fetch(`${base}/api/v1/openapi.json`, { method, headers: { 'if-none-match': known } })
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await ask(known)
    assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, etag, ''], known)
    assert.equal((await ask(known, 'HEAD')).status, 304, known)
  }
  const other = await ask('"other"')
  assert.deepEqual([other.status, other.headers.get('etag'), await other.json()], [200, etag, document])
})

test('the document lists every operation of the API, and nothing else', () => {
  const wanted = routes.map(({ method, path }) => `${method} /api/v1${path}`)
  assert.deepEqual(operations.map(({ line }) => line).sort(), wanted.toSorted())
})

/** What a $ref points to, undefined when it points to nothing. */
function resolve(ref: string): unknown {
  const [root, ...steps] = ref.split('/')
  assert.equal(root, '#', ref)
  return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document)
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description: string
  schema: Json
}

const parametersOf = ({ parameters }: Json = {}) =>
  (parameters as (Parameter | { $ref: string })[]).map((parameter) =>
    '$ref' in parameter ? (resolve(parameter.$ref) as Parameter) : parameter,
  )

test('every $ref in it resolves', () => {
  const refs = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  assert.ok(refs.length > 0)
  for (const ref of refs) assert.equal(typeof resolve(ref), 'object', ref)
})

test('every operation is named by nouns and a verb, and no two alike', () => {
  const verbs = {
    ...{ GET: ['list', 'get', 'getHead'], PATCH: ['update'], DELETE: ['delete', 'remove'] },
    POST: [
      ...[
        'create',
        'add',
        'restore',
        'move',
        'archive',
        'unarchive',
        'finalize',
        'reopen',
        'start',
        'stop',
        'rotate',
        'erase',
        'invite',
      ],
      ...['rotateSecret', 'test', 'pause', 'resume', 'replay', 'redeliver'],
    ],
  }
  const alone = ['bulk', 'search', 'reports.time', 'reports.tasks']
  for (const { name, method, path } of routes) {
    if (alone.includes(name)) continue
    assert.match(name, /^([a-z][A-Za-z]*\.){1,2}[a-z][A-Za-z]*$/, `${method} ${path}`)
    const [verb = '', ...nouns] = name.split('.').reverse()
    assert.ok(verbs[method].includes(verb), `${name} ends with no verb of ${method}`)
    // a verb on something that the path leads through
    const words = path.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const noun = nouns[0] === 'boards' ? 'board' : (nouns[0] ?? '')
    assert.ok(words.split('/').includes(noun), `${name} names nothing in ${path}`)
  }
  const names = routes.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
  // nothing is called like what something else is in, but by its own path
  for (const name of names) assert.ok(!names.some((other) => other.startsWith(`${name}.`)), name)
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(ids.sort(), [...names].sort())
})

test('every operation has a summary, and responses for success and for each refusal', () => {
  for (const { line, operation } of operations) {
    assert.ok(String(operation.summary).length > 3, line)
    const statuses = Object.keys(operation.responses as Json)
    assert.ok(
      statuses.some((status) => status.startsWith('2')),
      line,
    )
    for (const status of ['401', '403', '422', '500']) assert.ok(statuses.includes(status), `${line} ${status}`)
    if (line.startsWith('POST')) assert.ok(statuses.includes('409'), line)
  }
})

test('every operation has a field that says what a request needs to be allowed', () => {
  const accessOf = (method: string, path: string) => document.paths[`/api/v1${path}`]?.[method]?.['x-access']
  assert.deepEqual(accessOf('get', '/tasks'), {
    ...{ credential: 'apiKey', scope: 'read' },
    description: 'An API key with the scope `read`.',
  })
  assert.deepEqual(accessOf('delete', '/tasks/{id}'), {
    ...{ credential: 'apiKey', scope: 'write', projectRoles: ['contributor', 'lead'] },
    description: 'An API key with the scope `write`. Project role: contributor or lead.',
  })
  assert.deepEqual(accessOf('delete', '/organization'), {
    ...{ credential: 'apiKey', scope: 'write', organizationRoles: ['owner'] },
    description: 'An API key with the scope `write`. Organization role: owner.',
  })
  assert.deepEqual(accessOf('post', '/organizations'), {
    ...{ credential: 'operatorToken', description: 'The operator token.' },
  })
  for (const { line, operation } of operations) assert.ok(operation['x-access'], line)
})

test('every id in a path is declared as a parameter, and every POST declares Idempotency-Key', () => {
  for (const { line, operation } of operations) {
    const parameters = parametersOf(operation)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(
      inPath.map(({ name }) => name),
      names,
      line,
    )
    assert.ok(inPath.every(({ required }) => required === true))
    const keyed = parameters.some(({ name }) => name === 'Idempotency-Key')
    assert.equal(keyed, line.startsWith('POST'), line)
  }
})

test('no operation has two parameters of one name, wherever they are', () => {
  const doubled = operations.flatMap(({ line, operation }) => {
    const names = parametersOf(operation).map(({ name }) => name)
    return names.filter((name, i) => names.indexOf(name) < i).map((name) => `${line}: ${name}`)
  })
  assert.deepEqual(doubled, [])
})

test('every true-or-false query parameter is a boolean, as dryRun is', () => {
  const flags: [path: string, name: string][] = [
    ['/tasks', 'completed'],
    ['/time-entries', 'billable'],
    ['/time-entries', 'running'],
    ['/reports/time', 'billable'],
    ['/reports/tasks', 'completed'],
  ]
  for (const [path, wanted] of flags) {
    const parameter = parametersOf(document.paths[`/api/v1${path}`]?.get).find(({ name }) => name === wanted)
    assert.deepEqual(parameter?.schema, { type: 'boolean' }, `${path} ${wanted}`)
  }
  const texts = operations
    .flatMap(({ line, operation }) => parametersOf(operation).map((parameter) => ({ line, ...parameter })))
    .filter(({ schema }) => /"enum":\["(true|false)"/.test(JSON.stringify(schema)))
  assert.deepEqual(texts, [])
})

test('the document describes the event stream beside the JSON, and the header that resumes it', () => {
  const { get } = document.paths['/api/v1/events'] ?? {}
  assert.ok(parametersOf(get).some(({ name, in: place }) => name === 'Last-Event-ID' && place === 'header'))
  const responses = (get?.responses ?? {}) as Record<string, { content: Record<string, { example: string }> }>
  const content = responses[200]?.content
  assert.deepEqual(Object.keys(content ?? {}), ['application/json', 'text/event-stream'])
  const [retry, event, ...rest] = content?.['text/event-stream']?.example.split('\n\n') ?? []
  assert.deepEqual([retry, rest], ['retry: 2000', ['']])
  const [id, type, data = ''] = event?.split('\n') ?? []
  const shown = JSON.parse(data.replace('data: ', ''))
  assert.deepEqual([id, type], [`id: ${shown.sequence}`, `event: ${shown.type}`])
})

test('the lists declare limit with offset or with cursor, as the contract says', () => {
  const offset = ['projects', 'workspaces', 'members', 'task-types', 'tags']
  for (const [style, lists] of Object.entries({ offset, cursor: ['tasks', 'time-entries'] })) {
    for (const list of lists) {
      const parameters = parametersOf(document.paths[`/api/v1/${list}`]?.get)
      const limit = parameters.find(({ name }) => name === 'limit')
      assert.deepEqual([limit?.schema.minimum, limit?.schema.maximum], [1, 100])
      assert.match(limit?.description ?? '', /Default: 50/)
      assert.ok(parameters.some(({ name }) => name === style))
      assert.equal(
        parameters.some(({ name }) => name === (style === 'offset' ? 'cursor' : 'offset')),
        false,
      )
    }
  }
})

test('a list with extra parts has the same tag as the operations that create and update its items', () => {
  const tagOf = (line: string) => {
    const [method = '', path = ''] = line.split(' ')
    return document.paths[`/api/v1${path}`]?.[method]?.tags ?? assert.fail(line)
  }
  for (const [list, write] of [
    ['get /tasks/{id}/subtasks', 'patch /subtasks/{id}'],
    ['get /tasks/{id}/comments', 'patch /comments/{id}'],
    ['get /workspaces/{id}/stages', 'patch /stages/{id}'],
    ['get /projects', 'patch /projects/{id}'],
  ] as const)
    assert.deepEqual(tagOf(list), tagOf(write), list)
  for (const { name, description } of document.tags as { name: string; description?: string }[])
    assert.ok(!name.startsWith('Full') && description, name)
})
