import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = Record<string, unknown>

/** Keywords for rules over several fields. */
export const overFields = ['oneOf', 'not']

/**
 * Whether the outer rules accept everything that the inner rules accept. It tries each named field as absent, null and given,
 * because rules in different forms can mean the same.
 */
export function fitsAll(inner: Schema, outer: Schema): boolean {
  const [fitsInner, fitsOuter] = [inner, outer].map(rulesOf)
  const names = [...new Set([inner, outer].flatMap((schema) => fieldsIn(rulesIn(schema))))]
  if (!fitsInner || !fitsOuter || names.length > mostFields) return false
  return waysToGive(names).every((way) => !fitsInner(way) || fitsOuter(way))
}

const mostFields = 6
const ajv = new Ajv2020({ strict: false })

const rulesIn = (schema: Schema): Schema =>
  Object.fromEntries(overFields.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])))

const rulesOf = (schema: Schema) => {
  const { properties } = schema as { properties?: unknown }
  return properties === undefined ? undefined : ajv.compile(rulesIn(schema))
}

function fieldsIn(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return []
  const { required = [], properties = {} } = rule as { required?: string[]; properties?: object }
  const own = Array.isArray(required) ? required : []
  return [...own, ...Object.keys(properties), ...Object.values(rule).flatMap(fieldsIn)]
}

function waysToGive([name, ...others]: readonly string[]): Schema[] {
  if (name === undefined) return [{}]
  return waysToGive(others).flatMap((way) => [way, { ...way, [name]: null }, { ...way, [name]: 'given' }])
}
