import { z } from 'zod'
import { storesFullSnapshot } from './outbox.ts'
import { verbsOf } from './type-names.ts'

/** A type of event and its documentation. */
export interface EventType {
  /** noun and verb: `task.created` */
  type: string
  description: string
  snapshot: z.ZodType
}

/** A kind of resource that has events. */
export interface EventNoun {
  /** first part of its event types: `time_entry` */
  noun: string
  schema: z.ZodType
  /** by verb: a sentence added to the description of a common verb, or the whole description of any other verb */
  tells: Record<string, string>
}

/** The event types of these kinds of resources, grouped by noun. */
export const eventTypesOf = (nouns: readonly EventNoun[]): readonly EventType[] =>
  nouns.flatMap((told) => {
    const short = withoutLongTexts(told.schema)
    return verbsOf(told.noun).map((verb) => eventType(verb, told, short))
  })

const common: Record<string, string> = {
  created: 'was created.',
  updated: 'was updated.',
  deleted: 'was deleted. The snapshot shows it as it was before.',
  restored: 'was restored.',
}

function eventType(verb: string, { noun, schema, tells }: EventNoun, short: z.ZodType): EventType {
  const type = `${noun}.${verb}`
  const words = noun.replaceAll('_', ' ').replace('api', 'API')
  const sentence = common[verb] && `${/^[aeiou]/i.test(words) ? 'An' : 'A'} ${words} ${common[verb]}`
  if (sentence === undefined && tells[verb] === undefined) throw new Error(`Nothing is said of what ${type} tells`)
  const description = [sentence, tells[verb]].filter((part) => part !== undefined).join(' ')
  return { type, description, snapshot: storesFullSnapshot(type) ? schema : short }
}

/** The schema of a snapshot that omits a long text if the change did not touch it. */
function withoutLongTexts(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodObject)) return schema
  const long = Object.keys(schema.shape).filter((field) => mayBeLong(schema.shape[field]))
  if (long.length === 0) return schema
  const { id, description } = schema.meta() ?? {}
  const left = `${description} A ${long.join(' or ')} longer than 510 characters is left out if it did not change.`
  const optional = Object.fromEntries(long.map((field) => [field, schema.shape[field].optional()]))
  return z.strictObject({ ...schema.shape, ...optional }).meta({ id: `${id}Snapshot`, description: left })
}

// a name has at most 255 characters, each of one or two code units
const mayBeLong = (field: z.ZodType) => {
  const lengths = JSON.stringify(z.toJSONSchema(field, { unrepresentable: 'any' })).matchAll(/"maxLength":(\d+)/g)
  return [...lengths].some(([, length]) => Number(length) > 255)
}
