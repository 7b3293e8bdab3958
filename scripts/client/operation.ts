import type { Route } from '../../server/src/for-tools.ts'
import {
  type Document,
  nameIn,
  type Operation,
  type Parameter,
  reachedFrom,
  type Schema,
  wordsOf,
} from './json-schema.ts'

/** What stands between the ids of a call and its options: the query of a list or of another operation, a body, or nothing. */
type Kind = 'pages' | 'query' | 'body' | 'plain'

/** An operation as a client calls it. */
export interface Call {
  /** nouns, then what is done: `projects.members.add` */
  name: string
  /** what its types are named after: `ProjectsMembersAdd` */
  typeName: string
  method: string
  path: string
  kind: Kind
  described: Operation
  /** the ids in the path by the names of what they name, in order, each with a key that may stand for it */
  ids: readonly { name: string; key: string | undefined }[]
  /** the parameters of its query but `include` and `fields` */
  query: readonly Parameter[]
  body: Schema | undefined
  /** whether it cannot be called without a query or a body */
  needsInput: boolean
  /** which headers and switches it takes */
  options: readonly string[]
  /** what it answers; undefined: nothing */
  answer: Schema | undefined
  /** how a list pages */
  paging: 'offset' | 'cursor' | undefined
  /** the schema of what is read: of an item of a list, or of the answer */
  item: Schema | undefined
  selection: Selection | undefined
}

/** What of an answer may be asked for. */
interface Selection {
  /** the schema of what is there without being asked for: `Task` */
  whole: string
  /** the schema in the answer that is made of it: the same, or `Card` */
  inAnswer: string
  include: readonly string[] | undefined
  fields: readonly string[] | undefined
}

/** The operations of the API, in the order of its routes. */
export function callsOf(routes: readonly Route[], document: Document): Call[] {
  return routes.map((route) => callOf(route, document))
}

const prefix = '/api/v1'

function callOf({ name, method, path, ids }: Route, document: Document): Call {
  const described = describedAt(document, method, path)
  const own = described.parameters.filter(({ in: place }) => place === 'query')
  const wordsNamed = (wanted: string) =>
    own.flatMap(({ name, schema }) => (name === wanted ? [wordsOf(schema)] : []))[0]
  const [include, fields] = [wordsNamed('include'), wordsNamed('fields')]
  const query = own.filter(({ name }) => name !== 'include' && name !== 'fields').map(orOne)
  const { $ref: bodyRef = '' } = described.requestBody?.content['application/json'].schema ?? {}
  const body = document.components.schemas[nameIn(bodyRef)]
  const answer = (described.responses[200] ?? described.responses[201])?.content?.['application/json']?.schema
  const { data, total, pagination } = answer?.properties ?? {}
  const paging = data && total ? 'offset' : data && pagination ? 'cursor' : undefined
  const item = paging ? data?.items : answer
  const hasBody = Object.keys(body?.properties ?? {}).length > 0
  return {
    name,
    typeName: pascalCase(name.split('.')),
    ...{ method, path, described, query, answer, paging, item },
    kind: paging ? 'pages' : hasBody ? 'body' : own.length > 0 ? 'query' : 'plain',
    ids: ids.map((id) => idAt(id, path, document, described)),
    body: hasBody ? body : undefined,
    // an edit of nothing is none
    needsInput: hasBody
      ? described.requestBody?.required === true || method === 'PATCH'
      : query.some(({ required }) => required),
    options: described.parameters.flatMap(({ $ref }) => ($ref ? [lowerFirst(nameIn($ref))] : [])),
    selection: item && (include || fields) ? { ...selectedIn(item, document), include, fields } : undefined,
  }
}

function describedAt({ paths }: Document, method: string, path: string): Operation {
  const described = paths[prefix + path]?.[method.toLowerCase()]
  if (described === undefined) throw new Error(`The document has no ${method} ${path}`)
  return described
}

/** Where a list is taken, one by itself is too: written into a query they are the same. */
function orOne(parameter: Parameter): Parameter {
  const { type, items } = parameter.schema
  return type === 'array' && items ? { ...parameter, schema: { anyOf: [items, parameter.schema] } } : parameter
}

/**
 * An id by the name of what is read at the path that ends in it, or else of what is answered: `{id}` in `/tasks/{id}/comments`
 * is a `taskId`.
 */
function idAt(id: string, path: string, { paths }: Document, described: Operation) {
  const end = path.indexOf(`{${id}}`) + id.length + 2
  const { parameters, responses } = paths[prefix + path.slice(0, end)]?.get ?? described
  const { $ref = '' } = responses[200]?.content?.['application/json']?.schema ?? {}
  const pattern = parameters.find(({ in: place, name }) => place === 'path' && name === id)?.schema.pattern ?? ''
  const [key] = ['WEB-12', 'WEB'].filter((key) => new RegExp(pattern || '^$').test(key))
  return { name: id === 'id' ? `${lowerFirst(wholeNameOf(nameIn($ref)))}Id` : id, key }
}

/** Which schema is read, and what is in the answer in its place: one with parts, or one of the same fields. */
function selectedIn(item: Schema, { components: { schemas } }: Document): Pick<Selection, 'whole' | 'inAnswer'> {
  const fieldsOf = (name: string) => Object.keys(schemas[name]?.properties ?? {}).join()
  const fullOf = (name: string) =>
    Object.keys(schemas).find((full) => isFull(full) && fieldsOf(full) === fieldsOf(name))
  const [inAnswer = nameIn(item.$ref ?? '')] = [...reachedFrom(item, schemas)].filter(fullOf)
  return { whole: wholeNameOf(fullOf(inAnswer) ?? inAnswer), inAnswer }
}

/** Whether this is the name of a schema that holds what `include` may add. */
export const isFull = (name: string) => /^Full[A-Z]/.test(name)

/** The name of the same without it. */
export const wholeNameOf = (name: string) => (isFull(name) ? name.slice('Full'.length) : name)

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const pascalCase = (words: readonly string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
