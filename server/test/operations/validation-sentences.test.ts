import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { ApiError } from '../../src/contract/errors.ts'
import { schemaOf } from '../../src/openapi/schemas.ts'
import { validate } from '../../src/operations/validation.ts'
import { routes } from '../../src/resources/index.ts'

const nothing = z.strictObject({})

type Json = Record<string, unknown>

const anId = '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'

const wrong = [
  ...[null, true, 5, -1, 1.5, 1e300, '', 'x', 'a,b', '2026-13-45', 'x'.repeat(70_000)],
  ...[[], ['x', 'y'], [null], [5], {}, { x: 1 }, Array(200).fill(anId)],
]

/** Every way to make one field of an object wrong, the fields of its objects included. */
function* faultsOf(schema: Json): Generator<Json> {
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    for (const value of wrong) yield { [name]: value }
    for (const inner of faultsOf(field)) yield { [name]: inner }
    const { items } = field as { items?: Json }
    for (const inner of items ? faultsOf(items) : []) yield { [name]: [inner] }
  }
  yield {}
}

/** What is said of all that is wrong: the field, the sentence, and whether the field was there at all. */
function* messagesOf(schema: z.ZodType): Generator<[field: string, message: string, missing: boolean]> {
  for (const given of [...faultsOf(schemaOf(schema, 'input')), ...wrong]) {
    try {
      validate({ query: nothing, body: schema }, { query: {}, body: given })
    } catch (error) {
      assert.ok(error instanceof ApiError && error.details, String(error))
      const { formErrors, fieldErrors } = error.details
      for (const message of formErrors) yield ['', message, false]
      for (const [path, messages] of Object.entries(fieldErrors)) {
        const value = path.split('.').reduce<unknown>((at, step) => (at as Json | undefined)?.[step], given)
        for (const message of messages) yield [path, message, value === undefined]
      }
    }
  }
}

test('every error in a field of any operation has a plain message, and a missing field is Required', () => {
  let asked = 0
  for (const { method, path, query, body } of routes) {
    for (const [kind, schema] of Object.entries({ query, body })) {
      for (const [field, message, missing] of schema ? messagesOf(schema) : []) {
        asked++
        const where = `${method} ${path} ${kind} ${field}: ${message}`
        assert.match(
          message,
          /^(Required|Must (not )?\w|Is already taken|Unknown (field|parameter): |[a-z]\w+ (must|may) |Exactly one |At |To change )/,
          where,
        )
        assert.doesNotMatch(message, /something else|undefined|NaN|\[object|nonoptional|regex|pattern/, where)
        if (missing && field !== '') assert.match(message, /^Required$|^Must not|^Must come/, where)
      }
    }
  }
  assert.ok(asked > 1_000)
})

/** Two fields of a body that break a rule across both, each right in itself. */
const pairs = [
  { taskId: anId, subtaskId: anId },
  { endedAt: '2026-01-31T09:30:00Z', durationSeconds: 60 },
  { beforeId: anId, afterId: anId },
  { startDate: '2026-02-01', dueDate: '2026-01-31' },
]

const formErrorsOf = (body: z.ZodType, given: Json): readonly string[] => {
  try {
    validate({ query: nothing, body }, { query: {}, body: given })
    return []
  } catch (error) {
    assert.ok(error instanceof ApiError && error.details, String(error))
    return error.details.formErrors
  }
}

test('a rule across fields is reported together with all other errors', () => {
  const missed = new Set<string>()
  let asked = 0
  for (const { name, body } of routes) {
    const properties = Object.keys((body ? schemaOf(body, 'input').properties : undefined) ?? {})
    for (const pair of pairs.filter((one) => Object.keys(one).every((field) => properties.includes(field)))) {
      const fields = Object.keys(pair)
      const alone = body && formErrorsOf(body, pair).find((error) => fields.every((field) => error.includes(field)))
      assert.ok(alone, `${name} has no rule across ${fields}`)
      for (const field of [...properties, 'unknown'].filter((one) => !(one in pair))) {
        for (const value of wrong) {
          asked++
          if (!formErrorsOf(body, { ...pair, [field]: value }).includes(alone)) missed.add(`${name} ${field}`)
        }
      }
    }
  }
  assert.ok(asked > 500, `${asked} bodies`)
  assert.deepEqual([...missed], [])
})
