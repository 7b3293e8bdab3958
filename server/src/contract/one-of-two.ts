import { z } from 'zod'

type Two<Body extends z.ZodObject> = readonly [keyof Body['shape'] & string, keyof Body['shape'] & string]

/** What is said otherwise, and when the rule is asked, as `refine` takes it. */
type Otherwise = Parameters<typeof z.refine>[1]

/**
 * Exactly one of two fields is given: to zod, and to readers of the schema. Here and below a field that may be null is
 * given where it is not null, any other where it is sent.
 */
export function exactlyOne<Body extends z.ZodObject>(body: Body, two: Two<Body>, otherwise: Otherwise): Body {
  const fields = fieldsOf(body, two)
  return body.check(z.refine((sent) => countGiven(fields, sent) === 1, otherwise)).meta({ oneOf: eachAlone(fields) })
}

/** Exactly one of two fields is given, or neither is sent. */
export function exactlyOneIfAny<Body extends z.ZodObject>(body: Body, two: Two<Body>, otherwise: Otherwise): Body {
  const fields = fieldsOf(body, two)
  const noneSent = { not: { anyOf: two.map((name) => having({ [name]: {} })) } }
  return body
    .check(
      z.refine((sent) => two.every((name) => sent[name] === undefined) || countGiven(fields, sent) === 1, otherwise),
    )
    .meta({ oneOf: [...eachAlone(fields), noneSent] })
}

/** At most one of two fields is given. */
export function atMostOne<Body extends z.ZodObject>(body: Body, two: Two<Body>, otherwise: Otherwise): Body {
  const fields = fieldsOf(body, two)
  const both = having(Object.fromEntries(fields.map((field) => [field.name, given(field)])))
  return body.check(z.refine((sent) => countGiven(fields, sent) <= 1, otherwise)).meta({ not: both })
}

/** A rule is asked even where one of the fields is wrong in itself: both errors come in one answer. */
export const evenIfWrong = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

interface Field {
  name: string
  mayBeNull: boolean
}

const fieldsOf = (body: z.ZodObject, two: readonly string[]): Field[] =>
  two.map((name) => ({ name, mayBeNull: z.safeParse(body.shape[name], null).success }))

const countGiven = (fields: readonly Field[], sent: Json): number =>
  fields.filter(({ name, mayBeNull }) => sent[name] !== undefined && !(mayBeNull && sent[name] === null)).length

type Json = Record<string, unknown>

const given = ({ mayBeNull }: Field): Json => (mayBeNull ? { not: { type: 'null' } } : {})

const having = (properties: Record<string, Json>): Json => ({ required: Object.keys(properties), properties })

/** Each one without the others. Where none may be null, who sends two fits two of these: one too many. */
const eachAlone = (fields: readonly Field[]): Json[] =>
  fields.map((field) => {
    const absent = fields.filter((other) => other !== field && other.mayBeNull)
    const properties = Object.fromEntries(absent.map(({ name }) => [name, { type: 'null' }]))
    return { required: [field.name], properties: { [field.name]: given(field), ...properties } }
  })
