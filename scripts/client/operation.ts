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

/** The argument between the ids and the options: the query of a list, another query, a body, or none. */
type Kind = 'pages' | 'query' | 'body' | 'plain'

/** An operation, as the client calls it. */
export interface Call {
  /** nouns, then the verb: `projects.members.add` */
  name: string
  /** the prefix of its types: `ProjectsMembersAdd` */
  typeName: string
  method: string
  path: string
  kind: Kind
  described: Operation
  /** the ids of the path, in order; `key` is another text that an id accepts */
  ids: readonly { name: string; key: string | undefined }[]
  /** the query parameters without `include` and `fields` */
  query: readonly Parameter[]
  body: Schema | undefined
  /** whether a query or body is required */
  needsInput: boolean
  /** the headers and switches that it accepts */
  options: readonly string[]
  /** the schema of the response; undefined for an empty one */
  answer: Schema | undefined
  /** the pagination of a list */
  paging: 'offset' | 'cursor' | undefined
  /** the schema of a list's item, or of the response */
  item: Schema | undefined
  selection: Selection | undefined
}

/** The parts of a response that a caller can select. */
interface Selection {
  /** the schema without included parts: `Task` */
  whole: string
  /** the schema in the response: the same, or one made of it, such as `Card` */
  inAnswer: string
  include: readonly string[] | undefined
  fields: readonly string[] | undefined
}

/** The operations of the API, in the order of the routes. */
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
    // an update without changes is useless
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

/** A list parameter also accepts a single value: in a query they are the same. */
function orOne(parameter: Parameter): Parameter {
  const { type, items } = parameter.schema
  return type === 'array' && items ? { ...parameter, schema: { anyOf: [items, parameter.schema] } } : parameter
}

/**
 * The name of an id: the resource at the path that ends with it, else that of the response. `{id}` in `/tasks/{id}/comments` is
 * a `taskId`.
 */
function idAt(id: string, path: string, { paths }: Document, described: Operation) {
  const end = path.indexOf(`{${id}}`) + id.length + 2
  const { parameters, responses } = paths[prefix + path.slice(0, end)]?.get ?? described
  const { $ref = '' } = responses[200]?.content?.['application/json']?.schema ?? {}
  const pattern = parameters.find(({ in: place, name }) => place === 'path' && name === id)?.schema.pattern ?? ''
  const [key] = ['WEB-12', 'WEB'].filter((key) => new RegExp(pattern || '^$').test(key))
  return { name: id === 'id' ? `${lowerFirst(wholeNameOf(nameIn($ref)))}Id` : id, key }
}

/** The selectable schema, and the schema in the response: one with parts, or one with the same fields. */
function selectedIn(item: Schema, { components: { schemas } }: Document): Pick<Selection, 'whole' | 'inAnswer'> {
  const fieldsOf = (name: string) => Object.keys(schemas[name]?.properties ?? {}).join()
  const fullOf = (name: string) =>
    Object.keys(schemas).find((full) => isFull(full) && fieldsOf(full) === fieldsOf(name))
  const [inAnswer = nameIn(item.$ref ?? '')] = [...reachedFrom(item, schemas)].filter(fullOf)
  return { whole: wholeNameOf(fullOf(inAnswer) ?? inAnswer), inAnswer }
}

/** Whether a schema name is one with included parts. */
export const isFull = (name: string) => /^Full[A-Z]/.test(name)

/** The name of the schema without included parts. */
export const wholeNameOf = (name: string) => (isFull(name) ? name.slice('Full'.length) : name)

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const pascalCase = (words: readonly string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
