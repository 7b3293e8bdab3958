import { Refusal, wrongArguments } from './refusal.ts'
import { length } from './text.ts'

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

/** Refuses arguments that are longer than any operation takes, before anything reads them. @throws Refusal */
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

/** A character is one or two units of UTF-16. */
const isLongerThan = (most: number, text: string): boolean =>
  text.length > most && (text.length > 2 * most || length(text) > most)

const longest: ReadonlyMap<string, number> = new Map([
  ['description', 50_000],
  ['body', 20_000],
])
const usualLongest = 255
const mostItems = 100

/** A body without its fields that are undefined. */
type WithoutUndefined<Body> = { [field in keyof Body]?: Exclude<Body[field], undefined> }

/** A body with the fields of which something was said. */
export const onlySaid = <Body extends object>(body: Body): WithoutUndefined<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as WithoutUndefined<Body>
