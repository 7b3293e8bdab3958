import { commented } from './comments.ts'
import { eventTypes } from './events.ts'
import { type Document, reachedFrom, type Schema } from './json-schema.ts'
import { literal, union } from './literals.ts'
import { type Call, isFull, wholeNameOf } from './operation.ts'
import { fieldsOf, typeOf, type Writing } from './types.ts'

/** Word lists that get a type name, because many schemas use them or because they are long. */
export type NamedWords = ReadonlyMap<string, readonly string[]>

// bodies are in the file of requests
const isBody = (name: string) => name.endsWith('Body')

/** The type name of a word list. */
export const nameOfWordsIn = (named: NamedWords) => (words: readonly string[]) =>
  [...named].find(([, known]) => known.length === words.length && known.every((word) => words.includes(word)))?.[0]

// the error classes have the content of errors
const notTypes = ['ErrorEnvelope', 'ValidationError']

/** The types of all named schemas, their included parts, and the named word lists. */
export function schemaTypes(document: Document, calls: readonly Call[], words: NamedWords): string {
  const { schemas } = document.components
  const open = openIn(schemas, calls)
  const writingIn = (outer: string): Writing => ({
    of: 'answers',
    nameOfWords: nameOfWordsIn(words),
    typeNamed: (name) => (open.get(outer) === name ? 'Item' : open.has(name) ? `${name}<Item>` : name),
  })
  const written = Object.entries(schemas)
    .filter(([name]) => !notTypes.includes(name) && !isBody(name))
    .flatMap(([name, schema]) =>
      name === 'Event'
        ? [eventTypes(document, writingIn(name))]
        : isFull(name)
          ? fullTypes(name, schema, wholeNameOf(name) in schemas, writingIn(name))
          : [namedType(name, schema, writingIn(name), open.get(name))],
    )
  const lists = [...words].map(([name, known]) => `export type ${name} = ${union(known.map(literal))}\n`)
  return [...lists, ...written].join('\n')
}

/** The schemas that contain a selectable schema, with its name: `FilledStage` contains a `Card`. */
export function openIn(schemas: Record<string, Schema>, calls: readonly Call[]): ReadonlyMap<string, string> {
  const open = new Map<string, string>()
  for (const { item, selection } of calls) {
    if (!item || !selection || item.$ref?.endsWith(`/${selection.inAnswer}`)) continue
    for (const name of reachedFrom(item, schemas)) {
      const reached = reachedFrom(schemas[name] ?? {}, schemas)
      if (name !== selection.inAnswer && reached.has(selection.inAnswer)) open.set(name, selection.inAnswer)
    }
  }
  return open
}

function namedType(name: string, schema: Schema, writing: Writing, selected?: string): string {
  const told = commented(schema.description ? [schema.description] : [])
  const typed = typeOf(schema, writing)
  const argument = selected === undefined ? '' : `<Item = ${selected}>`
  return typed.startsWith('{') && typed.endsWith('\n}')
    ? `${told}export interface ${name}${argument} ${typed}\n`
    : `${told}export type ${name}${argument} = ${typed}\n`
}

/** Separate types for the fields and for the included parts, because the call decides which parts are present. */
function fullTypes(name: string, schema: Schema, hasWhole: boolean, writing: Writing): string[] {
  const { properties = {}, required = [], description = '' } = schema
  const whole = wholeNameOf(name)
  const fieldsWhere = (wanted: (name: string) => boolean) => ({
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => wanted(name))),
    // `more…` fields are present only if a part has more items
    required: Object.keys(properties).filter((name) => !isMore(name, properties)),
  })
  const added = fieldsOf(
    fieldsWhere((name) => !required.includes(name)),
    writing,
  )
  const own = `export interface ${whole} {\n${fieldsOf(
    fieldsWhere((name) => required.includes(name)),
    writing,
  )}}\n`
  return [
    ...(hasWhole ? [] : [commented([description.replace(/, with the data that `include`.*/, '.')]) + own]),
    `/** What \`include\` adds to ${aOrAn(whole)}, under the word that asks for it. */\nexport interface ${whole}Parts {\n${added}}\n`,
    `${commented([description])}export type ${name} = ${whole} & Partial<${whole}Parts>\n`,
  ]
}

/** Whether a field tells that a part has more items: `moreSubtasks` beside `subtasks`. */
const isMore = (name: string, properties: object) =>
  /^more[A-Z]/.test(name) && name.charAt(4).toLowerCase() + name.slice(5) in properties

const aOrAn = (name: string) => `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`
