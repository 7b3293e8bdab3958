import { commented } from './comments.ts'
import { exampleOf } from './examples.ts'
import { type Document, nameIn, type Schema } from './json-schema.ts'
import { literal } from './literals.ts'
import { type Call, lowerFirst, pascalCase } from './operation.ts'
import { inputOf, partOf } from './requests.ts'
import { type NamedWords, nameOfWordsIn, openIn } from './schemas.ts'
import { typeOf } from './types.ts'

/** The input of the generator. */
interface Among {
  document: Document
  words: NamedWords
  calls: readonly Call[]
}

/** The interfaces of all operations, nested like their names. */
export function interfaces(among: Among): string {
  const { calls, document } = among
  const printed: string[] = []
  print([])
  return printed.join('\n')

  /** The interface of the operations below these nouns, after the interfaces that it contains. */
  function print(nouns: readonly string[]): string {
    const inside = calls.filter(({ name }) => nouns.every((noun, i) => name.split('.')[i] === noun))
    const lines = [...new Set(inside.map(({ name }) => name.split('.')[nouns.length] ?? ''))].map((member) => {
      const called = inside.find(({ name }) => name === [...nouns, member].join('.'))
      return called ? method(member, called, among) : `${member}: ${print([...nouns, member])}\n`
    })
    const name = nouns.length === 0 ? 'Operations' : `${pascalCase(nouns)}Operations`
    printed.push(
      `${nouns.length === 0 ? commented(toldOfAll(document)) : ''}export interface ${name} {\n${lines.join('')}}\n`,
    )
    return name
  }
}

function method(verb: string, call: Call, among: Among): string {
  const open = openParameters(call)
  const input = inputOf(
    call,
    open.map(([name]) => name),
  )
  const parameters = [
    ...call.ids.map(({ name }) => `${name}: string`),
    ...(input ? [`${input.name}${call.needsInput ? '' : '?'}: ${input.type}`] : []),
    `options?: ${optionsOf(call)}`,
  ]
  const generics =
    open.length > 0 ? `<${open.map(([name, bound]) => `const ${name} extends ${bound}`).join(', ')}>` : ''
  return `${commented(toldOf(call, among))}${verb}${generics}(${parameters.join(', ')}): ${returned(call, among)}\n`
}

/** The type parameters of a call: the requested parts and fields. Without them, a call gets all fields and no part. */
function openParameters({ selection }: Call): [name: string, bound: string][] {
  if (!selection) return []
  const { whole, include, fields } = selection
  return [
    ...(include ? ([['Include', `readonly ${partOf(selection)}[] = readonly []`]] as [string, string][]) : []),
    ...(fields ? ([['Fields', `readonly (keyof ${whole})[] = never`]] as [string, string][]) : []),
  ]
}

// a stream has its position in the query too
const notOptions = ['lastEventId']

function optionsOf({ options }: Call): string {
  const own = options.filter((name) => !notOptions.includes(name))
  return own.length > 0 ? `Options<${own.map(literal).join(' | ')}>` : 'Options'
}

function returned(call: Call, among: Among): string {
  const { paging, item, answer } = call
  if (answer === undefined) return 'Answer<void>'
  const type = selectedType(call, item ?? answer, among)
  if (paging === undefined) return `Answer<${type}>`
  return `${paging === 'offset' ? 'OffsetPages' : 'CursorPages'}<${type}>`
}

/** The type of the result: with the requested fields and the included parts. */
function selectedType({ selection }: Call, item: Schema, { document, words, calls }: Among): string {
  const { schemas } = document.components
  const open = openIn(schemas, calls)
  const nameOfWords = nameOfWordsIn(words)
  const typeNamed = (name: string) =>
    selection && name === selection.inAnswer
      ? selected()
      : open.has(name) && selection
        ? `${name}<${selected()}>`
        : name
  return typeOf(item, { of: 'answers', nameOfWords, typeNamed })

  function selected(): string {
    if (!selection) return ''
    const { whole, inAnswer, include, fields } = selection
    const required = schemas[inAnswer]?.required ?? []
    const unasked =
      required.length < (schemas[whole]?.required?.length ?? 0) ? `, ${required.map(literal).join(' | ')}` : ''
    const chosen = fields ? `Chosen<${whole}, Fields${unasked}>` : whole
    return include ? `With<${chosen}, ${whole}Parts, Include>` : chosen
  }
}

/** Status codes that depend on the operation; others can happen to any operation. */
const telling = [403, 404, 409, 412, 422]

function toldOf(call: Call, { document }: Among): string[] {
  const { summary, description, 'x-access': access, responses } = call.described
  const refusals = telling.flatMap((status) => {
    const { $ref } = responses[status] ?? {}
    return $ref === undefined ? [] : [`@throws ${refusal(status, $ref, document)}`]
  })
  const keys = call.ids.flatMap(({ name, key }) =>
    key === undefined ? [] : [`@param ${name} its id, or its key, such as \`${key}\``],
  )
  const told = [`${summary}.`, ...(description ? [description] : []), `Access: ${access.description}`]
  return [...told, ...keys, ...refusals, `@example\n${exampleOf(call, document)}`]
}

function toldOfAll(document: Document): string[] {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const statuses = Object.keys(all[0]?.responses ?? {}).map(Number)
  const shared = statuses.filter(
    (status) => all.every(({ responses }) => responses[status]?.$ref) && !telling.includes(status),
  )
  return [
    'All operations of the API. Ids come first, then a query or a body where there is one, then the options.',
    'The comment of each operation lists its own errors. Any operation can also throw one of these.',
    ...shared.map((status) => `@throws ${refusal(status, all[0]?.responses[status]?.$ref ?? '', document)}`),
  ]
}

function refusal(status: number, $ref: string, { components: { responses } }: Document): string {
  const name = nameIn($ref)
  const { description = '' } = responses[name] ?? {}
  return `{${name.endsWith('Error') ? name : `${name}Error`}} ${status}: ${lowerFirst(description)}`
}
