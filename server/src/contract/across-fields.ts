import { z } from 'zod'
import { invalid } from './errors.ts'
import { Day } from './fields.ts'

type Two<Body extends z.ZodObject> = readonly [keyof Body['shape'] & string, keyof Body['shape'] & string]

/**
 * Exactly one of two fields is given: to zod, and to readers of the schema. Here and below a field that may be null is
 * given where it is not null, any other where it is sent. The schema says what is refused (`not`) and has all fields in one
 * object: of alternatives (`oneOf`) generators of clients make types that lack the fields beside them.
 */
export function exactlyOne<Body extends z.ZodObject>(body: Body, two: Two<Body>, otherwise: string): Body {
  const fields = fieldsOf(body, two)
  const isRight = (sent: Json) => countGiven(fields, sent) === 1
  return refusing(body, isRight, otherwise, both(fields), neither(fields))
}

/** Exactly one of two fields is given, or neither is sent. */
export function exactlyOneIfAny<Body extends z.ZodObject>(body: Body, two: Two<Body>, otherwise: string): Body {
  const fields = fieldsOf(body, two)
  const isRight = (sent: Json) => two.every((name) => sent[name] === undefined) || countGiven(fields, sent) === 1
  const anySent = { anyOf: two.map((name) => ({ required: [name], properties: { [name]: {} } })) }
  return refusing(body, isRight, otherwise, both(fields), { ...neither(fields), ...anySent })
}

/** At most one of two fields is given. */
export function atMostOne<Body extends z.ZodObject>(body: Body, two: Two<Body>, otherwise: string): Body {
  const fields = fieldsOf(body, two)
  return refusing(body, (sent) => countGiven(fields, sent) <= 1, otherwise, both(fields))
}

/** A rule across fields is checked beside a field that is wrong in itself: one answer names both errors. */
const evenIfWrong = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/** Checks a rule, and says in the schema what is refused, beside what was said before. */
function refusing<Body extends z.ZodObject>(
  body: Body,
  isRight: (sent: Json) => boolean,
  otherwise: string,
  ...conditions: Json[]
): Body {
  const checked = body.check(z.refine(isRight, { error: otherwise, ...evenIfWrong }))
  const { not } = (z.globalRegistry.get(checked) ?? {}) as { not?: Json & { anyOf?: Json[] } }
  const [only, ...more] = [...(not?.anyOf ?? (not ? [not] : [])), ...conditions]
  return checked.meta({ not: more.length > 0 ? { anyOf: [only, ...more] } : only })
}

interface Field {
  name: string
  mayBeNull: boolean
}

const fieldsOf = (body: z.ZodObject, two: readonly string[]): Field[] =>
  two.map((name) => ({ name, mayBeNull: z.safeParse(body.shape[name], null).success }))

const countGiven = (fields: readonly Field[], sent: Json): number =>
  fields.filter(({ name, mayBeNull }) => sent[name] !== undefined && !(mayBeNull && sent[name] === null)).length

type Json = Record<string, unknown>

const both = (fields: readonly Field[]): Json => ({
  required: fields.map(({ name }) => name),
  properties: Object.fromEntries(fields.map(({ name, mayBeNull }) => [name, mayBeNull ? { not: aNull } : {}])),
})

const neither = (fields: readonly Field[]): Json => ({
  properties: Object.fromEntries(fields.map(({ name, mayBeNull }) => [name, mayBeNull ? aNull : { not: {} }])),
})

const aNull = { type: 'null' }

interface Dates {
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

const isInOrder = ({ startDate, dueDate }: Dates) => !startDate || !dueDate || startDate <= dueDate
const dueBeforeStart = 'dueDate must not be before startDate'

/** Nothing is due before it starts, as `refine` of zod takes it. The text of days is in their order. */
export const dueAfterStart = [
  ({ startDate, dueDate }: Dates) =>
    !Day.safeParse(startDate).success || !Day.safeParse(dueDate).success || isInOrder({ startDate, dueDate }),
  { error: dueBeforeStart, ...evenIfWrong },
] as const

/** The same test of a row as an edit would leave it. @throws 422 */
export function refuseIfDueBeforeStart(dates: Dates): void {
  if (!isInOrder(dates)) throw invalid({}, [dueBeforeStart])
}
