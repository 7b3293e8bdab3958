import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { sharedServer } from '../../server/test/support/world.ts'
import {
  type Answer,
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  NotModifiedError,
  PreconditionFailedError,
  Taskwright,
  TaskwrightError,
  UnauthorizedError,
  UnexpectedAnswerError,
  ValidationFailedError,
} from '../src/index.ts'
import { fakeServer } from './support/fake-server.ts'
import { rejection } from './support/rejection.ts'

const { base, newWorld } = await sharedServer()
const clientOf = (apiKey: string, more: object = {}) => new Taskwright({ baseUrl: base, apiKey, ...more })

interface Tag {
  id: string
  name: string
  version: number
}

test('a call returns the response body, and withResponse() also its status, headers and ETag', async () => {
  const { owner } = await newWorld()
  const tw = clientOf(owner.key)
  const tag = (await tw.request('POST', '/tags', { body: { name: 'Red', color: undefined } })) as Tag
  assert.equal(tag.name, 'Red')
  const { data, response, etag, requestId } = await tw.request('GET', `/tags/${tag.id}`).withResponse()
  assert.deepEqual(data, tag)
  assert.equal(response.status, 200)
  assert.equal(etag, response.headers.get('etag'))
  assert.match(requestId ?? '', /./)
  assert.equal((await tw.request('HEAD', `/tags/${tag.id}`).withResponse()).etag, etag)
  assert.equal(await tw.request('DELETE', `/tags/${tag.id}`), undefined)
})

test('with `auth: session`, the client sends no key and leaves the cookie to the browser', async (t) => {
  const server = await fakeServer(t, [200, {}])
  const headers = { 'x-organization': 'one' }
  const tw = new Taskwright({ baseUrl: server.base, auth: 'session', headers })
  await tw.request('GET', '/me')
  assert.equal(server.asked[0]?.headers.authorization, undefined)
  assert.equal(server.asked[0]?.headers['x-organization'], 'one')
  assert.throws(() => new Taskwright({ baseUrl: server.base }), /apiKey must be an API key/)
})

test('the base URL can have a trailing slash, a path, and the /api/v1 of the API', async (t) => {
  const { owner } = await newWorld()
  for (const baseUrl of [base, `${base}/`, `${base}/api/v1`, `${base}/api/v1/`]) {
    assert.ok(await clientOf(owner.key, { baseUrl }).request('GET', '/me'), baseUrl)
  }
  const proxy = await fakeServer(t, [200, {}])
  for (const path of ['/work', '/work/', '/work/api/v1']) {
    await clientOf(owner.key, { baseUrl: proxy.base + path }).request('GET', '/tags?limit=1', { query: { offset: 2 } })
  }
  assert.deepEqual([...new Set(proxy.asked.map(({ path }) => path))], ['/work/api/v1/tags?limit=1&offset=2'])
  for (const baseUrl of [
    '',
    'work.example.com',
    'ftp://work.example.com',
    'http://me:secret@127.0.0.1',
    `${base}/?a=1`,
  ]) {
    assert.throws(() => clientOf(owner.key, { baseUrl }), TypeError, baseUrl)
  }
})

test('a path that would lead to another URL is refused before anything is sent', async (t) => {
  const { base, asked } = await fakeServer(t)
  for (const path of [
    'tags',
    '/tags/..',
    '/projects/../members/1',
    '/projects/%2E%2e/members',
    '/tags/.?limit=1',
    '',
  ]) {
    await assert.rejects(clientOf('tw_key', { baseUrl: base }).request('DELETE', path), TypeError, path)
  }
  assert.deepEqual(asked, [])
})

test('query lists are joined, undefined values are left out, and dates are sent in RFC 3339', async (t) => {
  const { base, asked } = await fakeServer(t, [200, {}])
  const query = {
    include: ['project', 'tags'],
    q: 'a&b=c d',
    stageId: undefined,
    dueBefore: new Date(0),
    completed: false,
  }
  await clientOf('tw_key', { baseUrl: base }).request('GET', '/tasks', { query })
  const { searchParams } = new URL(asked[0]?.path ?? '', base)
  assert.deepEqual(Object.fromEntries(searchParams), {
    include: 'project,tags',
    q: 'a&b=c d',
    dueBefore: '1970-01-01T00:00:00.000Z',
    completed: 'false',
  })
})

test("every refusal is an error of its class, with the server's message", async () => {
  const { owner, member } = await newWorld()
  const tw = clientOf(owner.key)
  const tag = (await tw.request('POST', '/tags', { body: { name: 'Red' } })) as Tag
  const options = { body: { name: 'Blue' }, idempotencyKey: 'blue' }
  await tw.request('POST', '/tags', options)
  const refusals: [Answer<unknown>, new (refusal: never) => ApiError, number, string][] = [
    [
      tw.request('POST', '/tags', { body: { name: 'B' }, headers: { 'idempotency-key': '"' } }),
      BadRequestError,
      400,
      'invalid_idempotency_key',
    ],
    [clientOf('tw_nobody').request('GET', '/me'), UnauthorizedError, 401, 'unauthorized'],
    [clientOf(member.key).request('POST', '/members', { body: {} }), ForbiddenError, 403, 'missing_role'],
    [tw.request('GET', '/tags/nothing'), NotFoundError, 404, 'not_found'],
    [tw.request('PUT', '/tags'), ApiError, 405, 'method_not_allowed'],
    [
      tw.request('POST', '/tags', { ...options, body: { name: 'Green' } }),
      ConflictError,
      409,
      'idempotency_key_reused',
    ],
    [
      tw.request('PATCH', `/tags/${tag.id}`, { body: {}, ifMatch: '"99"' }),
      PreconditionFailedError,
      412,
      'etag_mismatch',
    ],
    [tw.request('POST', '/tags', { body: { name: '', colour: 1 } }), ValidationFailedError, 422, 'validation_failed'],
    [tw.request('GET', `/tags/${tag.id}`, { ifNoneMatch: `"${tag.id}.1"` }), NotModifiedError, 304, ''],
  ]
  // a rejection that nobody looks at yet is no failure
  for (const [refused] of refusals) refused.catch(() => {})
  for (const [refused, Class, status, code] of refusals) {
    const error = await rejection<ApiError>(refused, Class)
    assert.ok(error instanceof TaskwrightError)
    // a bundler has numbered some
    const name = Class.name.replace(/\d+$/, '')
    assert.equal(error.name, name)
    assert.deepEqual([error.status, error.code ?? ''], [status, code])
    assert.match(error.message, /^[A-Z][\w-]+,? \w/)
    assert.match(error.requestId ?? '', /./)
    assert.ok(error.stack?.startsWith(`${name}: ${error.message}`), error.stack)
  }
})

test('a 422 error has the messages for each field and for the whole', async () => {
  const { owner } = await newWorld()
  const asked = clientOf(owner.key).request('POST', '/tags', {
    body: { name: '', colour: 1 },
    idempotencyKey: 'mine',
  })
  const error = await rejection(asked, ValidationFailedError)
  assert.deepEqual(Object.keys(error.fieldErrors), ['name'])
  assert.match(error.formErrors[0] ?? '', /colour/)
  assert.equal(error.idempotencyKey, 'mine')
  assert.equal((error.body as { error: string }).error, error.message)
})

test('a response that is not from Taskwright is reported as such, with its content and its source', async (t) => {
  const page =
    '<html><head><title>502 Bad Gateway</title><style>h1 { color: red }</style></head><h1>502 Bad Gateway</h1>\n<hr>nginx</html>'
  const answers = await fakeServer(
    t,
    [502, page],
    [200, page],
    [404, page],
    [301, '', { location: 'https://elsewhere.example.com/' }],
    [401, {}],
    [401, { error: 'unauthorized' }],
    [404, { error: 'Not Found' }],
    [401, { error: 'unauthorized' }, { 'x-request-id': 'gateway-1' }],
  )
  const tw = clientOf('tw_key', { baseUrl: answers.base, retries: 0 })
  const told: [number, string][] = []
  for (const Class of [ApiError, ...Array(7).fill(UnexpectedAnswerError)]) {
    const { status, message } = await rejection<ApiError | UnexpectedAnswerError>(tw.request('GET', '/me'), Class)
    told.push([status, message.replaceAll(answers.base, '')])
  }
  assert.deepEqual(told, [
    [502, 'Status 502, but not from Taskwright: 502 Bad Gateway nginx'],
    [200, '/api/v1/me (200) is not a response from Taskwright: 502 Bad Gateway nginx. Check baseUrl.'],
    [404, '/api/v1/me (404) is not a response from Taskwright: 502 Bad Gateway nginx. Check baseUrl.'],
    [301, '/api/v1/me (301) redirects to https://elsewhere.example.com/. Check baseUrl.'],
    [401, '/api/v1/me (401) is not a response from Taskwright: {}. Check baseUrl.'],
    [401, '/api/v1/me (401) is not a response from Taskwright: {"error":"unauthorized"}. Check baseUrl.'],
    [404, '/api/v1/me (404) is not a response from Taskwright: {"error":"Not Found"}. Check baseUrl.'],
    [401, '/api/v1/me (401) is not a response from Taskwright: {"error":"unauthorized"}. Check baseUrl.'],
  ])
  const nowhere = clientOf('tw_key', { baseUrl: 'http://127.0.0.1:1', retries: 0 })
  const { message } = await rejection(nowhere.request('GET', '/me'), ConnectionError)
  assert.match(message, /^No response from http:\/\/127\.0\.0\.1:1: /)
})

test('no client, error or returned value shows the API key', async (t) => {
  const { owner } = await newWorld()
  const tw = clientOf(owner.key)
  const { base: cutting } = await fakeServer(t, 'cut')
  const shown = [
    tw,
    await tw.request('GET', '/me').withResponse(),
    tw.request('GET', '/me'),
    tw.pages('/tags'),
    await tw.request('GET', '/nothing').catch((reason) => reason),
    await clientOf(owner.key, { baseUrl: cutting, retries: 0 })
      .request('GET', '/me')
      .catch((reason) => reason),
    await tw.request('GET', '/me', { timeoutMs: 0, retries: 0 }).catch((reason) => reason),
  ]
  for (const one of shown) {
    assert.ok(!inspect(one, { depth: 9, showHidden: true }).includes(owner.key))
    assert.ok(!JSON.stringify(one)?.includes(owner.key))
  }
  for (const apiKey of ['tw_with a space', 'tw_with\na line', '', 'tw_umläut']) {
    const error = await Promise.resolve()
      .then(() => clientOf(apiKey))
      .catch((reason) => reason)
    assert.ok(error instanceof TypeError)
    assert.ok(apiKey === '' || !inspect(error).includes(apiKey))
  }
  // as a file has it
  assert.ok(await clientOf(`${owner.key}\n`).request('GET', '/me'))
})

test('a dry run gets a response and is undone, and ifMatch overwrites nobody', async () => {
  const { owner } = await newWorld()
  const tw = clientOf(owner.key)
  const { data, response } = await tw.request('POST', '/tags', { body: { name: 'Red' }, dryRun: true }).withResponse()
  assert.equal((data as Tag).name, 'Red')
  assert.equal(response.headers.get('dry-run'), 'true')
  await assert.rejects(tw.request('GET', `/tags/${(data as Tag).id}`), NotFoundError)
  const { data: tag, etag } = await tw.request('POST', '/tags', { body: { name: 'Red' } }).withResponse()
  const path = `/tags/${(tag as Tag).id}`
  await tw.request('PATCH', path, { body: { name: 'Blue' }, ifMatch: etag })
  await assert.rejects(tw.request('PATCH', path, { body: { name: 'Green' }, ifMatch: etag }), PreconditionFailedError)
})

test('a client that accepts CSV gets a report as CSV', async () => {
  const { owner } = await newWorld()
  const csv = await clientOf(owner.key).request('GET', '/reports/time', {
    query: { groupBy: ['member'] },
    accept: 'text/csv',
  })
  assert.match(String(csv), /^memberId,/)
})

test('an ifMatch that is not an ETag is refused with the right form, and changes nothing', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag({ name: 'Red' })
  const tw = clientOf(owner.key)
  for (const ifMatch of [1, '1', `${id}.1`, ''] as string[]) {
    const error = await rejection(tw.tags.update(id, { name: 'Blue' }, { ifMatch }), TaskwrightError)
    assert.match(error.message, /in double quotes: "|ETag/, String(ifMatch))
  }
  assert.equal((await tw.tags.get(id)).name, 'Red')
})
