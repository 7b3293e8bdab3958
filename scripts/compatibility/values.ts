type Schema = Record<string, unknown>

/** Numeric keywords, with a check whether one value is within another. */
export const bounds: Record<string, (inner: number, outer: number) => boolean> = {
  ...{ minLength: atLeast, minItems: atLeast, minimum: atLeast, exclusiveMinimum: atLeast, minProperties: atLeast },
  ...{ maxLength: atMost, maxItems: atMost, maximum: atMost, exclusiveMaximum: atMost, maxProperties: atMost },
}

function atLeast(inner: number, outer: number) {
  return inner >= outer
}

function atMost(inner: number, outer: number) {
  return inner <= outer
}

/** Whether a schema accepts a value of the document; false if unknown. */
export function accepts(schema: Schema, value: unknown): boolean {
  if ('const' in schema) return JSON.stringify(schema.const) === JSON.stringify(value)
  const { type, format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  if (type === undefined) return true
  if (type !== (value === null ? 'null' : typeof value)) return false
  if (typeof value !== 'string') return type === 'null'
  const isOfForm = format === undefined && (pattern === undefined || new RegExp(String(pattern), 'u').test(value))
  return isOfForm && value.length >= Number(minLength) && value.length <= Number(maxLength)
}

/**
 * Whether a pattern accepts everything that another one accepts. It recognizes only added alternatives and added words of a
 * list.
 */
export function isWider(wider: unknown, narrower: unknown): boolean {
  if (typeof wider !== 'string' || typeof narrower !== 'string') return false
  if (wider.startsWith(`${narrower}|`) || wider.endsWith(`|${narrower}`)) return true
  const [more, less] = [listOf(wider), listOf(narrower)]
  return more && less ? less.words.every((word) => more.words.includes(word)) && less.most <= more.most : false
}

/** The words of a list pattern, such as `^(id|name)(,(id|name)){0,1}$`. */
function listOf(pattern: string): { words: string[]; most: number } | undefined {
  const [, words, most] = /^\^\(([\w|.-]+)\)\(,\(\1\)\)\{0,(\d+)\}\$$/.exec(pattern) ?? []
  return words === undefined ? undefined : { words: words.split('|'), most: Number(most) }
}
