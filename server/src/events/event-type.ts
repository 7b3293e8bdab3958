import { z } from 'zod'
import { isWhole } from './outbox.ts'
import { verbsOf } from './type-names.ts'

/** A type of event, for those who read the log. */
export interface EventType {
  /** noun and what happened to it: `task.created` */
  type: string
  description: string
  /** what its snapshot holds */
  snapshot: z.ZodType
}

/** Something that events tell of. */
export interface Told {
  /** how its events begin: `time_entry` */
  noun: string
  schema: z.ZodType
  /** by verb, what else its events say, or all that they say: `moved: 'It has another place.'` */
  tells: Record<string, string>
}

/** The types of events, those of one noun together. */
export const eventTypesOf = (nouns: readonly Told[]): readonly EventType[] =>
  nouns.flatMap((told) => {
    const short = withoutLongTexts(told.schema)
    return verbsOf(told.noun).map((verb) => eventType(verb, told, short))
  })

const common: Record<string, string> = {
  created: 'was created.',
  updated: 'was edited.',
  deleted: 'was deleted; the snapshot is how it was.',
  restored: 'that was deleted came back.',
}

function eventType(verb: string, { noun, schema, tells }: Told, short: z.ZodType): EventType {
  const type = `${noun}.${verb}`
  const words = noun.replaceAll('_', ' ').replace('api', 'API')
  const sentence = common[verb] && `${/^[aeiou]/i.test(words) ? 'An' : 'A'} ${words} ${common[verb]}`
  if (sentence === undefined && tells[verb] === undefined) throw new Error(`Nothing is said of what ${type} tells`)
  const description = [sentence, tells[verb]].filter((part) => part !== undefined).join(' ')
  return { type, description, snapshot: isWhole(type) ? schema : short }
}

/** A resource of which a long text is left out where it did not change. */
function withoutLongTexts(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodObject)) return schema
  const long = Object.keys(schema.shape).filter((field) => mayBeLong(schema.shape[field]))
  if (long.length === 0) return schema
  const { id, description } = schema.meta() ?? {}
  const left = `${description} A ${long.join(' or ')} of more than 510 characters is left out where it did not change.`
  const optional = Object.fromEntries(long.map((field) => [field, schema.shape[field].optional()]))
  return z.strictObject({ ...schema.shape, ...optional }).meta({ id: `${id}Snapshot`, description: left })
}

// a name has 255 characters at most, each of up to two code units
const mayBeLong = (field: z.ZodType) => {
  const lengths = JSON.stringify(z.toJSONSchema(field, { unrepresentable: 'any' })).matchAll(/"maxLength":(\d+)/g)
  return [...lengths].some(([, length]) => Number(length) > 255)
}
