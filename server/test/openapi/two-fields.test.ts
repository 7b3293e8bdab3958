import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { exampleOf, type Json, schemaOf } from '../../src/openapi/schemas.ts'
import { routes } from '../../src/resources/index.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const bodies = routes.flatMap(({ method, path, body }) => (body ? [{ line: `${method} ${path}`, body }] : []))

/** The bodies in which two fields are each missing, null or given, and all others as in the example. */
function* variants(schema: Json): Generator<Json> {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const example = exampleOf(schema) as Json
  const ways = (name: string) => [{}, { [name]: null }, { [name]: exampleOf(properties[name] ?? {}) }]
  const names = Object.keys(properties)
  for (const [i, one] of names.entries()) {
    for (const other of names.slice(i + 1)) {
      const { [one]: _, [other]: __, ...rest } = example
      for (const first of ways(one)) for (const second of ways(other)) yield { ...rest, ...first, ...second }
    }
  }
}

test('the schema of a body says for each two fields what is checked: whether both, one or none can be given', () => {
  const wrong: string[] = []
  let compared = 0
  for (const { line, body } of bodies) {
    const schema = schemaOf(body, 'input')
    const fits = ajv.compile({ ...schema, $ref: undefined })
    for (const sent of variants(schema)) {
      compared++
      if (fits(sent) !== body.safeParse(sent).success) wrong.push(`${line} ${JSON.stringify(sent)}`)
    }
  }
  assert.ok(compared > 1_000, `${compared}`)
  assert.deepEqual(wrong, [])
})
