import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breaksOf, mayBreak } from '../../../scripts/compatibility/breaks.ts'
import { promisesOf } from '../../../scripts/compatibility/promises.ts'
import { promisesIn, recorded } from '../../../scripts/compatibility/record.ts'
import { eventTypes, openapi, routes } from '../../src/for-tools.ts'

/** A small document, of which the changes below are made. */
const released = () => ({
  openapi: '3.1.0',
  info: { version: '1.2.0' },
  security: [{ bearer: [] }, { apiKey: [] }],
  paths: {
    '/api/v1/notes': {
      get: {
        operationId: 'notes.list',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', maximum: 100, default: 50 } as Json,
          },
          { name: 'color', in: 'query', style: 'form', explode: true, schema: { enum: ['red', 'blue'] } },
          { name: 'fields', in: 'query', schema: { type: 'string', pattern: '^(id|name)(,(id|name)){0,1}$' } },
        ] as Json[],
        responses: {
          200: {
            description: 'Done.',
            headers: { ETag: { required: true } as Json } as Json,
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Note' } } },
              'text/csv': { schema: { type: 'string' } },
            } as Json,
          },
          404: { $ref: '#/components/responses/NotFound' },
        } as Json,
      } as Json,
      post: {
        operationId: 'notes.create',
        parameters: [{ $ref: '#/components/parameters/Key' }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  name: { type: 'string', minLength: 1, maxLength: 255, description: 'How it is called.' },
                  color: { anyOf: [{ type: 'string', enum: ['red', 'blue'] }, { type: 'null' }] },
                  parentId: {
                    anyOf: [
                      { type: 'string', format: 'uuid' },
                      { type: 'string', enum: ['none'] },
                    ],
                  },
                  code: { type: 'string', pattern: '^[a-z]+$' },
                  tagIds: { type: 'array', items: { type: 'string' }, maxItems: 10, uniqueItems: false },
                } as Json,
                required: ['name'],
                additionalProperties: false,
              } as Json,
            },
          },
        } as Json,
        responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } } } },
      } as Json,
    } as Record<string, Json>,
  } as Record<string, Record<string, Json>>,
  webhooks: {
    'note.created': {
      post: {
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }] as Json[],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Event' },
                  { type: 'object', properties: { snapshot: { $ref: '#/components/schemas/Note' } as Json } },
                ],
              },
            },
          },
        },
      },
    },
  } as Json,
  components: {
    headers: { 'X-Error-Code': { schema: { anyOf: [{ enum: ['gone', 'full'] }, { type: 'string' }] } } },
    parameters: { Key: { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } } },
    responses: { NotFound: { description: 'It is not there.' } },
    schemas: {
      Note: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string', maxLength: 255 },
          color: { anyOf: [{ type: 'string', enum: ['red', 'blue'] }, { type: 'null' }] },
          done: { type: 'boolean' },
          count: { type: 'integer', format: 'int32', minimum: 0 },
          hint: { type: 'string' },
          amounts: { type: 'object', additionalProperties: { type: 'integer' }, propertyNames: { enum: ['a'] } },
        } as Record<string, Json>,
        required: ['id', 'name', 'color', 'done', 'count', 'amounts'],
        additionalProperties: false,
      },
      Event: { type: 'object', properties: { snapshot: { type: 'object' } }, required: ['snapshot'] },
    },
  },
})

// biome-ignore lint/suspicious/noExplicitAny: each change reaches into the document where it likes
type Json = Record<string, any>
type Document = ReturnType<typeof released>
type Change = (document: Document) => unknown

const listing = ({ paths }: Document): Json => paths['/api/v1/notes']?.get ?? {}
const creating = ({ paths }: Document): Json => paths['/api/v1/notes']?.post ?? {}
const body = (document: Document): Json => creating(document).requestBody.content['application/json'].schema
const note = ({ components }: Document) => components.schemas.Note
const drop = (of: Json | undefined, name: string) => delete of?.[name]

const breaks: Record<string, [change: Change, ...sentences: string[]]> = {
  'an operation that is gone': [({ paths }) => drop(paths['/api/v1/notes'], 'get'), 'notes.list is gone'],
  'an operation with another name': [
    (document) => Object.assign(listing(document), { operationId: 'notes.all' }),
    'notes.list is gone: it is called notes.all',
  ],
  'an operation at another path': [
    ({ paths }) => {
      paths['/api/v1/memos'] = paths['/api/v1/notes'] ?? {}
      delete paths['/api/v1/notes']
    },
    'notes.list was GET /api/v1/notes and is now GET /api/v1/memos',
    'notes.create was POST /api/v1/notes and is now POST /api/v1/memos',
  ],
  'a way to authenticate that is gone': [
    (document) => document.security.pop(),
    'notes.list no longer takes apiKey',
    'notes.create no longer takes apiKey',
  ],
  'a parameter that is gone': [(document) => listing(document).parameters.shift(), 'notes.list: query limit is gone'],
  'a parameter that must now be sent': [
    (document) => Object.assign(listing(document).parameters[0], { required: true }),
    'notes.list: query limit must now be sent',
  ],
  'a new parameter that must be sent': [
    (document) => listing(document).parameters.push({ name: 'day', in: 'query', required: true, schema: {} }),
    'notes.list: query day must now be sent',
  ],
  'a parameter that takes less': [
    (document) => Object.assign(listing(document).parameters[0].schema, { maximum: 50 }),
    'notes.list: query limit had maximum 100 and now has 50',
  ],
  'a parameter with another default': [
    (document) => Object.assign(listing(document).parameters[0].schema, { default: 20 }),
    'notes.list: query limit no longer has the default 50',
  ],
  'a parameter whose lists are written differently': [
    (document) => Object.assign(listing(document).parameters[1], { explode: false }),
    'notes.list: query color is written in another way',
  ],
  'a value that a parameter no longer takes': [
    (document) => listing(document).parameters[1].schema.enum.pop(),
    'notes.list: query color no longer takes "blue"',
  ],
  'a word that a list in a parameter no longer takes': [
    (document) => Object.assign(listing(document).parameters[2].schema, { pattern: '^(id)(,(id)){0,0}$' }),
    'notes.list: query fields had pattern "^(id|name)(,(id|name)){0,1}$" and now has "^(id)(,(id)){0,0}$"',
  ],
  'a body that is gone': [(document) => drop(creating(document), 'requestBody'), 'notes.create: the body is gone'],
  'a body that must now be sent': [
    (document) => Object.assign(listing(document), { requestBody: { required: true, content: {} } }),
    'notes.list: a body must now be sent',
  ],
  'a field of a body that is gone': [
    (document) => drop(body(document).properties, 'code'),
    'notes.create: body.code is gone',
  ],
  'a field of a body that must now be sent': [
    (document) => body(document).required.push('code'),
    'notes.create: body.code must now be sent',
  ],
  'a new field of a body that must be sent': [
    (document) => {
      body(document).properties.owner = { type: 'string' }
      body(document).required.push('owner')
    },
    'notes.create: body.owner must now be sent',
  ],
  'a field of a body with another type': [
    (document) => Object.assign(body(document).properties, { name: { type: 'integer' } }),
    'notes.create: body.name was string and is now integer',
  ],
  'a field of a body that must be longer': [
    (document) => Object.assign(body(document).properties.name, { minLength: 2 }),
    'notes.create: body.name had minLength 1 and now has 2',
  ],
  'a field of a body that must be shorter': [
    (document) => Object.assign(body(document).properties.name, { maxLength: 100 }),
    'notes.create: body.name had maxLength 255 and now has 100',
  ],
  'a field of a body with another pattern': [
    (document) => Object.assign(body(document).properties.code, { pattern: '^[a-f]+$' }),
    'notes.create: body.code had pattern "^[a-z]+$" and now has "^[a-f]+$"',
  ],
  'a field of a body with a new rule': [
    (document) => Object.assign(body(document), { not: { required: ['code', 'color'] } }),
    'notes.create: body had not none and now has {"required":["code","color"]}',
  ],
  'two fields of a body that can no longer be given together': [
    (document) =>
      Object.assign(body(document), {
        not: { anyOf: [{ required: ['code', 'color'], properties: { code: {}, color: { not: { type: 'null' } } } }] },
      }),
    'notes.create: body had not none and now has {"anyOf":[{"required":["code","color"],"properties":{"code":{},"color":{"not":{"type":"null"}}}}]}',
  ],
  'a field of a body that can no longer be null': [
    (document) => body(document).properties.color.anyOf.pop(),
    'notes.create: body.color no longer takes null',
  ],
  'a value that a field of a body no longer takes': [
    (document) => body(document).properties.color.anyOf[0].enum.shift(),
    'notes.create: body.color no longer takes "red"',
  ],
  'one of several forms that a field of a body no longer takes': [
    (document) => body(document).properties.parentId.anyOf.shift(),
    'notes.create: body.parentId no longer takes string (uuid)',
  ],
  'items of a list in a body that can be less': [
    (document) => Object.assign(body(document).properties.tagIds.items, { format: 'uuid' }),
    'notes.create: body.tagIds[] had format none and now has "uuid"',
  ],
  'a response that is gone': [
    (document) => drop(listing(document).responses, '404'),
    'notes.list no longer answers 404',
  ],
  'success with another status': [
    (document) => {
      listing(document).responses[202] = listing(document).responses[200]
      delete listing(document).responses[200]
    },
    'notes.list no longer answers 200',
    'notes.list may now answer 202',
  ],
  'a media type that is gone': [
    (document) => drop(listing(document).responses[200].content, 'text/csv'),
    'notes.list: 200: text/csv is gone',
  ],
  'a header of a response that is gone': [
    (document) => drop(listing(document).responses[200].headers, 'ETag'),
    'notes.list: 200: the header ETag is gone',
  ],
  'a header of a response that does not always come': [
    (document) => Object.assign(listing(document).responses[200].headers.ETag, { required: false }),
    'notes.list: 200: the header ETag is no longer always there',
  ],
  'a schema with another name': [({ components: { schemas } }) => drop(schemas, 'Event'), 'The schema Event is gone'],
  'a field of a response that is gone': [
    (document) => {
      drop(note(document).properties, 'name')
      note(document).required.splice(1, 1)
    },
    'Note.name is gone',
  ],
  'a field of a response that was optional and is gone': [
    (document) => drop(note(document).properties, 'hint'),
    'Note.hint is gone',
  ],
  'a field of a response that is no longer always there': [
    (document) => note(document).required.shift(),
    'Note.id is no longer always there',
  ],
  'a field of a response that can now be null': [
    (document) => Object.assign(note(document).properties, { name: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    'Note.name may now be null',
  ],
  'a field of a response with a new value': [
    (document) => note(document).properties.color?.anyOf[0].enum.push('green'),
    'Note.color may now be "green"',
  ],
  'a field of a response that was a list of values and is free': [
    (document) => Object.assign(note(document).properties, { color: { type: 'string' } }),
    'Note.color may now be string',
  ],
  'a field of a response with another type': [
    (document) => Object.assign(note(document).properties, { id: { type: 'integer' } }),
    'Note.id was string (uuid) and is now integer',
  ],
  'a field of a response with another format': [
    (document) => Object.assign(note(document).properties.count ?? {}, { format: 'int64' }),
    'Note.count had format "int32" and now has "int64"',
  ],
  'a number of a response that can now be negative': [
    (document) => drop(note(document).properties.count, 'minimum'),
    'Note.count had minimum 0 and now has none',
  ],
  'values of a map in a response with another type': [
    (document) => Object.assign(note(document).properties.amounts ?? {}, { additionalProperties: { type: 'string' } }),
    'Note.amounts.* was integer and is now string',
  ],
  'an error code that is gone': [
    ({ components }) => components.headers['X-Error-Code'].schema.anyOf[0]?.enum?.shift(),
    'The error code gone is gone',
  ],
  'a webhook that is gone': [({ webhooks }) => drop(webhooks, 'note.created'), 'The webhook note.created is gone'],
  'a header of a webhook that is gone': [
    ({ webhooks }) => webhooks['note.created'].post.parameters.pop(),
    'webhook note.created: the header webhook-id is gone',
  ],
  'a webhook with a different body': [
    ({ webhooks }) =>
      Object.assign(webhooks['note.created'].post.requestBody.content['application/json'].schema.allOf[1].properties, {
        snapshot: { type: 'array' },
      }),
    'webhook note.created.snapshot was object and is now array',
  ],
}

const harmless: Record<string, Change> = {
  nothing: () => {},
  'other words, another example': (document) =>
    Object.assign(body(document).properties.name, { description: 'Its name.', examples: ['Milk'] }),
  'a new operation': ({ paths }) =>
    Object.assign(paths, { '/api/v1/memos': { get: { operationId: 'memos.list', responses: {} } } }),
  'a new way to authenticate': ({ security }) => security.push({ cookie: [] } as never),
  'a new parameter that can be left out': (document) =>
    listing(document).parameters.push({ name: 'day', in: 'query', schema: {} }),
  'a parameter that takes more': (document) => Object.assign(listing(document).parameters[0].schema, { maximum: 200 }),
  'a new value that a parameter takes': (document) => listing(document).parameters[1].schema.enum.push('green'),
  'a new word that a list in a parameter takes': (document) =>
    Object.assign(listing(document).parameters[2].schema, { pattern: '^(id|at|name)(,(id|at|name)){0,2}$' }),
  'a new field of a body that can be left out': (document) =>
    Object.assign(body(document).properties, { owner: { type: 'string' } }),
  'a field of a body that can now be left out': (document) => body(document).required.pop(),
  'a body that can now be left out': (document) => Object.assign(creating(document).requestBody, { required: false }),
  'a field of a body that can now be null': (document) =>
    Object.assign(body(document).properties, {
      name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 255 }, { type: 'null' }] },
    }),
  'a field of a body that can be longer': (document) =>
    Object.assign(body(document).properties.name, { maxLength: 500, minLength: 0 }),
  'a field of a body that takes more forms': (document) =>
    Object.assign(body(document).properties.code, { pattern: '^[a-z]+$|^[0-9]+$' }),
  'a list of values of a body that becomes free': (document) =>
    Object.assign(body(document).properties, { color: { type: ['string', 'null'] } }),
  'a number of a body that can have a fraction': (document) =>
    Object.assign(listing(document).parameters[0].schema, { type: 'number' }),
  'a rule of a body that is gone': (document) => drop(body(document).properties.tagIds, 'uniqueItems'),
  'a new error code': ({ components }) => components.headers['X-Error-Code'].schema.anyOf[0]?.enum?.push('late'),
  'a new error': (document) =>
    Object.assign(listing(document).responses, { 410: { $ref: '#/components/responses/NotFound' } }),
  'a new media type': (document) =>
    Object.assign(listing(document).responses[200].content, { 'text/html': { schema: { type: 'string' } } }),
  'a new header of a response': (document) => Object.assign(listing(document).responses[200].headers, { Age: {} }),
  'a new field of a response': (document) => Object.assign(note(document).properties, { owner: { type: 'string' } }),
  'a field of a response that is now always there': (document) => note(document).required.push('hint'),
  'a field of a response that is never null any more': (document) => note(document).properties.color?.anyOf.pop(),
  'a value that a response no longer has': (document) => note(document).properties.color?.anyOf[0].enum.pop(),
  'a boolean of a response that is always true': (document) =>
    Object.assign(note(document).properties.done ?? {}, { const: true }),
  'a new name in a map of a response': (document) =>
    Object.assign(note(document).properties.amounts ?? {}, { propertyNames: { enum: ['a', 'b'] } }),
  'a longer text in a response': (document) => Object.assign(note(document).properties.name ?? {}, { maxLength: 500 }),
  'a schema that several share and that gets a name': (document) => {
    Object.assign(document.components.schemas, { NewNote: body(document) })
    creating(document).requestBody.content['application/json'].schema = { $ref: '#/components/schemas/NewNote' }
  },
  'a new webhook': ({ webhooks }) => Object.assign(webhooks, { 'note.deleted': webhooks['note.created'] }),
}

for (const [name, [change, ...sentences]] of Object.entries(breaks)) {
  test(`a client is broken by ${name}`, () => {
    assert.deepEqual(broken(change), sentences)
  })
}

for (const [name, change] of Object.entries(harmless)) {
  test(`no client is broken by ${name}`, () => {
    assert.deepEqual(broken(change), [])
  })
}

test('a reworded rule over fields breaks no client, and a stricter one does', () => {
  const onlyOne: Change = (document) =>
    Object.assign(body(document), {
      oneOf: [
        { required: ['code'], properties: { color: { type: 'null' } } },
        { required: ['color'], properties: { color: { not: { type: 'null' } } }, not: { required: ['code'] } },
      ],
    })
  const both = { required: ['code', 'color'], properties: { code: {}, color: { not: { type: 'null' } } } }
  const neither = { properties: { code: { not: {} }, color: { type: 'null' } } }
  const asNot: Change = (document) => Object.assign(body(document), { not: { anyOf: [both, neither] } })
  const atMostOne: Change = (document) => Object.assign(body(document), { not: { anyOf: [both] } })
  assert.deepEqual(brokenFrom(onlyOne, asNot), [])
  assert.deepEqual(brokenFrom(asNot, onlyOne), [])
  assert.deepEqual(brokenFrom(onlyOne, atMostOne), [])
  assert.equal(brokenFrom(atMostOne, asNot).length, 1)
})

test('a new major version can break clients, and before 1.0 a new minor version can', () => {
  for (const [before, now] of [
    ['0.1.0', '0.2.0'],
    ['0.9.3', '0.10.0'],
    ['0.9.3', '1.0.0'],
    ['1.4.2', '2.0.0'],
  ] as const)
    assert.equal(mayBreak(before, now), true, `${before} ${now}`)
  for (const [before, now] of [
    ['0.1.0', '0.1.0'],
    ['0.1.0', '0.1.1'],
    ['0.2.0', '0.1.0'],
    ['1.4.2', '1.5.0'],
    ['1.0.0', '0.9.0'],
  ] as const)
    assert.equal(mayBreak(before, now), false, `${before} ${now}`)
})

test('the record of a release has everything that clients rely on, in an eighth of the document', () => {
  const document = openapi(routes, eventTypes, '0.1.0')
  const promises = promisesOf(document)
  const record = recorded(promises)
  assert.deepEqual(promisesIn(record), JSON.parse(JSON.stringify(promises)))
  assert.ok(record.length * 8 < JSON.stringify(document, null, 2).length, `${record.length}`)
})

/** The sentences on a document of today that is the released one after a change. */
function broken(change: Change): string[] {
  return brokenFrom(() => {}, change)
}

function brokenFrom(before: Change, change: Change): string[] {
  const [then, now] = [released(), released()]
  before(then)
  change(now)
  return breaksOf(promisesOf(then), promisesOf(now))
}
