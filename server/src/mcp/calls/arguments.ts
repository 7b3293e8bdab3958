import { Refusal, wrongArguments } from './refusal.ts'
import { length } from './text.ts'

/** The part of JSON Schema that the libraries of all model providers accept. */
export interface ArgumentSchema {
  type?: unknown
  description?: string
  enum?: unknown[]
  items?: ArgumentSchema
  properties?: Record<string, ArgumentSchema>
  required?: string[]
}

/**
 * Converts the arguments of a call to the types that the tool declares. Models send numbers and lists as text, and one name in
 * place of a list, or several words of an enum in one text. For an optional argument that they want to omit, they send an empty text or null.
 */
export function coerceArguments(
  { properties = {}, required = [] }: ArgumentSchema,
  given: object,
): Record<string, unknown> {
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
      return listOf(value)
        .flatMap((one) => (items.enum !== undefined && typeof one === 'string' ? one.split(',') : [one]))
        .map((one) => inType(items, one))
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

// UTF-16 units, enough for some hundred names; parsing a list of 1 MB takes a third of a second
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

/** Refuses arguments that are longer than any operation accepts, before other code reads them. @throws Refusal */
export function refuseTooLong(input: object): void {
  if (Object.keys(input).length > mostItems)
    throw new Refusal(`Give at most ${mostItems} arguments.`, 'validation_failed')
  const fieldErrors: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(input)) {
    const fault = faultOf(value, longest.get(name) ?? usualLongest)
    if (fault !== undefined) fieldErrors[name] = [fault]
  }
  if (Object.keys(fieldErrors).length === 0) return
  throw new Refusal(wrongArguments({ formErrors: [], fieldErrors }), 'validation_failed')
}

function faultOf(value: unknown, most: number): string | undefined {
  if (Array.isArray(value) && value.length > mostItems) return `Must have at most ${mostItems} items`
  const isLonger = [value].flat().some((text) => typeof text === 'string' && isLongerThan(most, text))
  return isLonger ? `Must have at most ${most} characters` : undefined
}

/** Counts characters only if the length in UTF-16 units does not decide: a character has one or two units. */
const isLongerThan = (most: number, text: string): boolean =>
  text.length > most && (text.length > 2 * most || length(text) > most)

const longest: ReadonlyMap<string, number> = new Map([
  ['description', 50_000],
  ['body', 20_000],
])
const usualLongest = 255
const mostItems = 100

/** A body whose given fields are never undefined. */
type WithoutUndefined<Body> = { [field in keyof Body]?: Exclude<Body[field], undefined> }

/** Removes the undefined fields of a body. */
export const onlySaid = <Body extends object>(body: Body): WithoutUndefined<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as WithoutUndefined<Body>
