import { commented } from './comments.ts'
import { literal, union } from './literals.ts'
import type { Call } from './operation.ts'
import { type NamedWords, nameOfWordsIn } from './schemas.ts'
import { fieldLine, typeOf, type Writing } from './types.ts'

/** The types of all queries, bodies and `include` words. */
export function requestTypes(calls: readonly Call[], words: NamedWords): string {
  const writing: Writing = { of: 'requests', nameOfWords: nameOfWordsIn(words), typeNamed: (name) => name }
  const parts = partNames(calls)
  return [
    ...[...parts].map(
      ([name, known]) => `/** What \`include\` takes of this. */\nexport type ${name} = ${union(known.map(literal))}\n`,
    ),
    ...calls.flatMap((call) =>
      [queryType(call, writing), bodyType(call, writing)].filter((type) => type !== undefined),
    ),
  ].join('\n')
}

/** The `include` words, by type name. */
function partNames(calls: readonly Call[]): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, readonly string[]>()
  for (const { selection } of calls) {
    if (selection?.include === undefined) continue
    const name = partOf(selection)
    const known = parts.get(name) ?? selection.include
    if (known.join() !== selection.include.join()) throw new Error(`${name} would have to be two types`)
    parts.set(name, known)
  }
  return parts
}

/** The type name of an `include` word. */
export const partOf = ({ whole }: { whole: string }) => `${whole}Part`

const nameOfQuery = ({ typeName }: Call) => `${typeName}Query`
const nameOfBody = ({ typeName }: Call) => `${typeName}Body`

/** The argument between ids and options, with the selection as a type parameter; undefined for none. */
export function inputOf(call: Call, asked: readonly string[]): { name: string; type: string } | undefined {
  if (call.kind === 'plain') return undefined
  if (call.kind === 'body') return { name: 'body', type: nameOfBody(call) }
  return { name: 'query', type: asked.length > 0 ? `${nameOfQuery(call)}<${asked.join(', ')}>` : nameOfQuery(call) }
}

function queryType(call: Call, writing: Writing): string | undefined {
  const { kind, query, item, selection } = call
  if (kind !== 'pages' && kind !== 'query') return undefined
  const fields = query.map(({ name, description, required, schema }) => {
    const field = { ...schema, ...(description === undefined ? {} : { description }) }
    return fieldLine(name, typeOf(schema, writing), { field, isRequired: required, writing })
  })
  const open: string[] = []
  if (selection?.include) {
    const list = `readonly ${partOf(selection)}[]`
    open.push(`Include extends ${list} = ${list}`)
    const isRead = kind === 'query' && item?.$ref?.endsWith(`/${selection.inAnswer}`)
    const told = isRead ? 'What to add; then there is no ETag.' : 'What to add to each item.'
    fields.push(`${commented([told])}include?: Include | undefined\n`)
  }
  if (selection?.fields) {
    const list = `readonly (keyof ${selection.whole})[]`
    open.push(`Fields extends ${list} = ${list}`)
    const told = selection.include ? 'Only these fields, and what `include` adds.' : 'Only these fields.'
    fields.push(`${commented([told])}fields?: Fields | undefined\n`)
  }
  const parameters = open.length > 0 ? `<${open.join(', ')}>` : ''
  return `${toldOf(call)}export interface ${nameOfQuery(call)}${parameters} {\n${fields.join('')}}\n`
}

function bodyType(call: Call, writing: Writing): string | undefined {
  if (call.body === undefined) return undefined
  return `${toldOf(call)}export type ${nameOfBody(call)} = ${typeOf(call.body, writing)}\n`
}

const toldOf = ({ name, kind }: Call) => `/** What \`${name}\` ${kind === 'body' ? 'sends' : 'asks for'}. */\n`
