/** The part of JSON Schema that the libraries of all providers of models take. */
export interface ArgumentSchema {
  type?: unknown
  description?: string
  enum?: unknown[]
  items?: ArgumentSchema
  properties?: Record<string, ArgumentSchema>
  required?: string[]
}

/**
 * A schema without what some providers refuse: lists of types, `additionalProperties`, defaults and bounds. A call that
 * breaks a bound is refused with a sentence instead.
 */
export function portable({
  type,
  description,
  enum: words,
  items,
  properties,
  required,
}: ArgumentSchema): ArgumentSchema {
  return {
    type,
    ...(description === undefined ? {} : { description }),
    ...(words === undefined ? {} : { enum: words }),
    ...(items === undefined ? {} : { items: portable(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, portable(one)])) }),
    ...(required === undefined ? {} : { required }),
  }
}

/**
 * The arguments of a call in the types that their tool declares. Models send numbers and lists as text, a single name for a
 * list, and an empty text or null for an optional argument that they mean to leave out.
 */
export function asDeclared({ properties = {}, required = [] }: ArgumentSchema, given: object): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isOptional = schema !== undefined && !required.includes(name)
    if (isOptional && isLeftOut(value)) continue
    read[name] = schema === undefined ? value : inType(schema, value)
  }
  return read
}

const isLeftOut = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length > 0 && value.every(isLeftOut))

function inType({ type, enum: words, items = {} }: ArgumentSchema, value: unknown): unknown {
  switch (type) {
    case 'integer':
      return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return typeof value === 'string' ? (truth[value.trim().toLowerCase()] ?? value) : value
    case 'array':
      return listOf(value).map((one) => inType(items, one))
    case 'string': {
      const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
      if (words === undefined || typeof text !== 'string') return text
      return words.find((word) => String(word).toLowerCase() === text.trim().toLowerCase()) ?? text
    }
    default:
      return value
  }
}

const truth: Record<string, boolean> = { true: true, false: false }

// in units of UTF-16: some hundred names; a list of a megabyte takes a third of a second to be parsed
const longestList = 60_000

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || value.length > longestList || !value.trim().startsWith('[')) return [value]
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : [value]
  } catch {
    return [value]
  }
}
