import { z } from 'zod'
import { normalizeText } from '../db/normalize-text.ts'

/** Runs a slow check only if all checks before it passed, such as the check of the length. */
export const onlyIfValid = { when: ({ issues }: { issues: readonly unknown[] }) => issues.length === 0 }

/** An id. The server accepts upper case, and stores lower case. */
export const Id = z
  .guid('Must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid', examples: ['0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'] })

/** A date-time that the server sends: RFC 3339, UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-01-31T09:30:00.000Z'] })

const earliestMs = Date.UTC(1970, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)
const years = '^(19[7-9][0-9]|20[0-9][0-9])'

/** A date-time that a client sends: RFC 3339 with an offset, 1970 to 2100. The server stores it in UTC, to the millisecond. */
export const Moment = z
  .string('Must be a string')
  .max(40, 'Must be an RFC 3339 date-time of at most 40 characters')
  // RFC 3339 also allows `t` and `z`
  .overwrite((text) => text.toUpperCase())
  .regex(z.regexes.datetime({ offset: true }), { error: ({ input }) => wrongMoment(String(input)) })
  // `max` has already refused a longer text
  .overwrite((text) => (text.length > 40 || Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()))
  .refine((text) => Date.parse(text) >= earliestMs && Date.parse(text) < latestMs, {
    error: 'Must be between 1970 and 2100',
    ...onlyIfValid,
  })
  .meta({ format: 'date-time', pattern: `${years}-`, examples: ['2026-01-31T09:30:00+01:00'] })

// in a query, an unencoded + of an offset arrives as a space
const wrongMoment = (text: string) =>
  / \d\d:?\d\d$/.test(text)
    ? 'Encode the + of the offset as %2B in a query, such as 2026-01-31T09:30:00%2B01:00'
    : 'Must be an RFC 3339 date-time with an offset, such as 2026-01-31T09:30:00Z'

/** A calendar day, 1970 to 2100. */
export const Day = z.iso
  .date('Must be a date such as 2026-01-31')
  .refine((text) => text >= '1970-01-01' && text < '2100-01-01', 'Must be between 1970 and 2100')
  .meta({ pattern: `${years}-`, examples: ['2026-01-31'] })

/**
 * Text of `min` to `max` characters (Unicode code points), without white space around it. It refuses U+0000 and lone
 * surrogates, because the database cannot store them unchanged.
 */
export const text = (min: number, max: number) =>
  z
    .string('Must be a string')
    .trim()
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Must not contain U+0000 or lone surrogates')
    .refine((value) => hasMoreThan(min - 1, value), `Must have at least ${min} character${min === 1 ? '' : 's'}`)
    .refine((value) => !hasMoreThan(max, value), `Must have at most ${max} characters`)
    .meta({
      ...{ minLength: min, maxLength: max, examples: ['A few words'] },
      pattern: min > 0 ? `^${plain}*${visible}${plain}*$` : `^${plain}*$`,
    })

// must work in any regex dialect: unlike ECMAScript, some do not count U+FEFF as white space
const plain = '[^\\u0000]'
const visible = '[^\\s\\ufeff\\u0000]'
// approximates `naming` without Unicode properties, which some regex dialects lack
const showing =
  '[^\\s\\ufeff\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0300-\\u036f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164]'

// refuse names of invisible characters only, such as Hangul fillers and blank Braille, or of combining marks only
const naming = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** A name: 1 to 255 characters, with at least one visible letter, digit, punctuation mark or symbol. */
export const Name = text(1, 255)
  .refine((name) => naming.test(name), {
    error: 'Must contain a letter, a digit, a punctuation mark or a symbol',
    ...onlyIfValid,
  })
  .meta({
    description:
      'Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not ' +
      'enough.',
    examples: ['Web site'],
    pattern: `^${plain}*${showing}${plain}*$`,
  })

export const Color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color such as #1f6feb')
  .meta({ description: 'A color as `#rrggbb`.', maxLength: 7, examples: ['#1f6feb'] })

/** The text of a search query. */
export const searched = text(1, 255).refine((q) => normalizeText(q).trim() !== '', {
  error: 'Must contain more than accents',
  ...onlyIfValid,
})

/** A list of at most `max` different ids. It refuses a longer list without reading the items. */
export const ids = (max: number) =>
  z.preprocess(
    (given, { addIssue }) => {
      // with the error of zod's own maximum, zod would skip the rules across fields
      if (Array.isArray(given) && given.length > max) addIssue(`Must have at most ${max} items`)
      return given
    },
    eachOnce(z.array(Id).max(max), 'an id'),
  )

/** Refuses a list that contains an item twice. */
export const eachOnce = <Item extends z.ZodType>(list: z.ZodArray<Item>, noun: string) =>
  list
    .refine((items) => new Set(items).size === items.length, `Must not contain ${noun} twice`)
    .meta({ uniqueItems: true })

interface ListOptions {
  most?: number
  description?: string
  /** a sentence for the description: when an item matches several values */
  means?: string
}

/**
 * One value or several different values in a query string: repeated (`a=1&a=2`) or separated by commas (`a=1,2`).
 * @param what names a value in messages: `a UUID or none`
 */
export const severalOf = <One extends z.ZodType<string>>(one: One, what: string, about: ListOptions = {}) => {
  const { most = 50, description, means = 'An item matches if it has one of them.' } = about
  const faultOf = (values: readonly unknown[]) => {
    const read = values.map((value) => one.safeParse(value))
    const odd = read.findIndex(({ success }) => !success)
    if (odd >= 0) return `Must be ${what}, or a list of up to ${most} of them; ${quoteValue(values[odd])} is not valid`
    const doubled = read.find(({ data }, i) => read.findIndex((other) => other.data === data) < i)
    if (doubled) return `Must not contain ${quoteValue(doubled.data)} twice`
    return values.length > most ? `Must have at most ${most} values` : undefined
  }
  return z
    .preprocess(
      (given, { addIssue }) => {
        const values = [given].flat().flatMap((value) => (typeof value === 'string' ? value.split(',') : [value]))
        const fault = faultOf(values)
        if (fault) addIssue(fault)
        return values.length === 1 ? values[0] : values
      },
      z.union([one.transform((value) => [value]), z.array(one).meta({ maxItems: most, uniqueItems: true })]),
    )
    .meta({ description: [description, countOf(most, means)].filter(Boolean).join(' ') })
}

const countOf = (most: number, means: string) =>
  [`Up to ${most} values: repeat the parameter or separate the values with commas.`, means].filter(Boolean).join(' ')

/** Quotes the beginning of a value in a message. */
export const quoteValue = (value: unknown) =>
  typeof value === 'string' ? `"${value.slice(0, 40)}"` : 'a value that is not text'

/** Ids in a query string, or words that stand for an id (`none`, `me`). */
export const severalIds = <const Word extends string = never>(words: readonly Word[] = [], about: ListOptions = {}) => {
  const listed = ['a UUID', ...words].join(', ').replace(/, (\w+)$/, ' or $1')
  return severalOf(words.length > 0 ? z.union([Id, z.enum(words)]) : Id, listed, about)
}

/** The filter by ids of every cursor list. Clients use it to refresh their copies. */
export const idsFilter = severalIds([], {
  most: 100,
  description:
    'Returns only the items with these ids. Ids that do not exist, or that you cannot see, are left out of the ' +
    'response.',
  means: '',
})

/** Up to `most` words in a query string, separated by commas. */
export const words = <const Word extends string>(known: readonly Word[], most: number) => {
  const some = `${most < known.length ? `at most ${most}` : 'any'} of ${known.join(', ')}, separated by commas`
  return z
    .string('Must be sent only once')
    .transform((list) => list.split(',') as Word[])
    .refine((list) => list.length <= most && list.every((word) => known.includes(word)), `Must be ${some}`)
    .refine((list) => new Set(list).size === list.length, 'Must not contain a word twice')
    .meta({
      maxLength: Math.max(100, known.join().length),
      pattern: `^(${known.join('|')})(,(${known.join('|')})){0,${most - 1}}$`,
      description: `${some.replace(/^a/, 'A')}.`,
    })
}

/** By the schema of a resource that `include` adds to an item: the fields of the item, besides its id, that find the resource. */
export const foundBy = z.registry<{ fields: readonly string[] }>()

/** A whole number in a body. With the error of `z.int()`, zod would skip the rules across fields. */
export const integer = (min: number, max: number) =>
  z.number().refine(Number.isInteger, 'Must be a whole number').min(min).max(max).meta({ type: 'integer' })

/** A whole number in a query string. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string(`Must be sent only once, as a whole number from ${min} to ${max}`)
    .regex(/^(0|[1-9][0-9]{0,15})$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .int()
        .min(min, `Must be a whole number from ${min} to ${max}`)
        .max(max, `Must be a whole number from ${min} to ${max}`),
    )
    .meta({ type: 'integer', minimum: min, maximum: max })

/** A boolean in a query string. */
export const flag = z
  .enum(['true', 'false'], 'Must be true or false')
  .transform((word) => word === 'true')
  .meta({ type: 'boolean' })

/** A filter that is true or false. @param items those that `true` finds: `completed tasks` */
export const flagOf = (items: string) =>
  flag.meta({ description: `\`true\` finds only ${items}, \`false\` only the others.` })

/** A resource of the API: the common fields and its own. The schema refuses undeclared fields, so none can leak. */
export const resource = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z
    .strictObject({
      id: Id,
      ...shape,
      version: z.int().min(1).max(2_147_483_647).meta({ description: 'Goes up with each change.' }),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id, description })

function hasMoreThan(characters: number, value: string): boolean {
  let count = 0
  for (const _ of value) if (++count > characters) return true
  return count > characters
}
