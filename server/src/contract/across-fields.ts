import { z } from 'zod'
import { invalid } from './errors.ts'
import { Day } from './fields.ts'

type FieldPair<Body extends z.ZodObject> = readonly [keyof Body['shape'] & string, keyof Body['shape'] & string]

/**
 * Requires exactly one of two fields, in zod and in the JSON Schema. In this file, a nullable field counts as given if it is not
 * null, any other field if the client sends it. The schema uses `not`, and keeps all fields in one object. With `oneOf`,
 * client generators create types that lack the other fields.
 */
export function exactlyOne<Body extends z.ZodObject>(body: Body, two: FieldPair<Body>, otherwise: string): Body {
  const fields = fieldsOf(body, two)
  const isRight = (sent: JsonObject) => countGiven(fields, sent) === 1
  return withRule(body, isRight, otherwise, bothGivenSchema(fields), neitherGivenSchema(fields))
}

/** Requires exactly one of two fields, or neither is sent. It refuses a single null, which `atMostOne` allows. */
export function exactlyOneIfAny<Body extends z.ZodObject>(body: Body, two: FieldPair<Body>, otherwise: string): Body {
  const fields = fieldsOf(body, two)
  const isRight = (sent: JsonObject) => two.every((name) => sent[name] === undefined) || countGiven(fields, sent) === 1
  const anySent = { anyOf: two.map((name) => ({ required: [name], properties: { [name]: {} } })) }
  return withRule(body, isRight, otherwise, bothGivenSchema(fields), { ...neitherGivenSchema(fields), ...anySent })
}

/** Allows at most one of two fields. */
export function atMostOne<Body extends z.ZodObject>(body: Body, two: FieldPair<Body>, otherwise: string): Body {
  const fields = fieldsOf(body, two)
  return withRule(body, (sent) => countGiven(fields, sent) <= 1, otherwise, bothGivenSchema(fields))
}

/** Checks a rule even if a single field is invalid, so that one response names both errors. */
const evenIfWrong = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/** Adds a check to zod, and its conditions to the `not` of the JSON Schema. */
function withRule<Body extends z.ZodObject>(
  body: Body,
  isRight: (sent: JsonObject) => boolean,
  otherwise: string,
  ...conditions: JsonObject[]
): Body {
  const checked = body.check(z.refine(isRight, { error: otherwise, ...evenIfWrong }))
  const { not } = (z.globalRegistry.get(checked) ?? {}) as { not?: JsonObject & { anyOf?: JsonObject[] } }
  const [only, ...more] = [...(not?.anyOf ?? (not ? [not] : [])), ...conditions]
  return checked.meta({ not: more.length > 0 ? { anyOf: [only, ...more] } : only })
}

interface Field {
  name: string
  mayBeNull: boolean
}

const fieldsOf = (body: z.ZodObject, two: readonly string[]): Field[] =>
  two.map((name) => ({ name, mayBeNull: z.safeParse(body.shape[name], null).success }))

const countGiven = (fields: readonly Field[], sent: JsonObject): number =>
  fields.filter(({ name, mayBeNull }) => sent[name] !== undefined && !(mayBeNull && sent[name] === null)).length

type JsonObject = Record<string, unknown>

const bothGivenSchema = (fields: readonly Field[]): JsonObject => ({
  required: fields.map(({ name }) => name),
  properties: Object.fromEntries(fields.map(({ name, mayBeNull }) => [name, mayBeNull ? { not: aNull } : {}])),
})

const neitherGivenSchema = (fields: readonly Field[]): JsonObject => ({
  properties: Object.fromEntries(fields.map(({ name, mayBeNull }) => [name, mayBeNull ? aNull : { not: {} }])),
})

const aNull = { type: 'null' }

interface Dates {
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

const isInOrder = ({ startDate, dueDate }: Dates) => !startDate || !dueDate || startDate <= dueDate
const dueBeforeStart = 'dueDate must not be before startDate'

/** The arguments of zod's `refine` that refuse a due date before the start date. Days compare as text. */
export const dueNotBeforeStart = [
  ({ startDate, dueDate }: Dates) =>
    !Day.safeParse(startDate).success || !Day.safeParse(dueDate).success || isInOrder({ startDate, dueDate }),
  { error: dueBeforeStart, ...evenIfWrong },
] as const

/** Checks the same rule on a row after an update. @throws 422 if the due date is before the start date */
export function refuseIfDueBeforeStart(dates: Dates): void {
  if (!isInOrder(dates)) throw invalid({}, [dueBeforeStart])
}
