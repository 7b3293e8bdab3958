import type { Kind, Parameter } from '../../cli/src/operations/operation.ts'
import { bare, type Described, type Document, isNullable, referredBy, type Schema } from './schema.ts'

/** The parameters of an operation: path, query, body, in this order. */
export function parametersOf(path: string, { parameters, requestBody }: Described, document: Document): Parameter[] {
  const nouns = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, noun = '', id = '']) => [id, noun] as const)
  const own = kindOfNoun[nouns.at(-1)?.[1] ?? path.split('/')[1] ?? '']
  const beside = parameters.flatMap(({ name, in: place, required, description, schema }) => {
    if (name === undefined || schema === undefined || (place !== 'path' && place !== 'query')) return []
    const kind = place === 'path' ? kindOfNoun[nouns.find(([id]) => id === name)?.[1] ?? ''] : undefined
    // tw explains ids by the names of its arguments
    const told = place === 'path' ? undefined : description
    return parameterOf({ name, in: place, required, description: told }, schema, kind ?? own)
  })
  const body = document.components.schemas[referredBy(requestBody?.content['application/json'].schema) ?? '']
  return [...beside, ...(body ? fieldsOf(body, '', own) : [])]
}

const kindOfNoun: Record<string, Kind> = {
  projects: 'project',
  tasks: 'task',
  members: 'member',
  workspaces: 'workspace',
  stages: 'stage',
  'task-types': 'type',
  tags: 'tag',
}

/** The kind of resource of an id, by parameter name. `own` is the resource of the path. */
const kindOfName: Record<string, Kind | 'own'> = {
  ...{ id: 'own', beforeId: 'own', afterId: 'own' },
  ...{ projectId: 'project', taskId: 'task', workspaceId: 'workspace', stageId: 'stage', moveTasksTo: 'stage' },
  ...{ memberId: 'member', assigneeId: 'member', assigneeIds: 'member' },
  ...{ createdBy: 'member', authorId: 'member', actorId: 'member' },
  ...{ typeId: 'type', tagId: 'tag', anyTagId: 'tag', tagIds: 'tag' },
}

function fieldsOf({ properties = {}, required = [] }: Schema, within: string, own: Kind | undefined): Parameter[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = bare(schema)
    const path = `${within}${name}`
    if (inner.properties) return fieldsOf(inner, `${path}.`, own)
    const about = {
      name: path,
      in: 'body',
      required: required.includes(name),
      description: schema.description,
    } as const
    return [parameterOf(about, schema, own)]
  })
}

type About = Pick<Parameter, 'name' | 'in'> & { required: boolean | undefined; description: string | undefined }

function parameterOf(
  { name, in: place, required, description }: About,
  schema: Schema,
  own: Kind | undefined,
): Parameter {
  const inner = bare(schema)
  const [single, list] = singleIn(inner, place)
  const told = (description ?? schema.description ?? inner.description)?.replace(enumerated, '')
  const type = typeOf(single, name)
  const named = kindOfName[name.split('.').at(-1) ?? '']
  const of = named === 'own' ? own : named
  const words = wordsIn(single)
  const accepts = place === 'path' ? single.pattern?.split('$|').slice(1).join('$|') : ''
  return {
    ...{ name, in: place, type },
    ...(type === 'id' && of ? { of } : {}),
    ...(words.length > 0 ? { words } : {}),
    ...(list ? { list } : {}),
    ...(required ? { required: true } : {}),
    ...(isNullable(schema) ? { nullable: true } : {}),
    ...(accepts ? { accepts } : {}),
    ...(told ? { description: told } : {}),
  }
}

/** The schema of one item, if the parameter accepts several. */
function singleIn(schema: Schema, place: Parameter['in']): [Schema, Parameter['list']?] {
  if (schema.type === 'array') return [bare(schema.items ?? {}), 'items']
  const [first, ...more] = schema.anyOf ?? []
  if (first && more.some(({ type }) => type === 'array')) return [bare(first), 'items']
  return place === 'query' && listed.test(schema.pattern ?? '') ? [schema, 'commas'] : [schema]
}

// a comma-separated list in a query
const listed = /^\^\(([\w|]+)\)\(,\(/

function typeOf(schema: Schema, name: string): Parameter['type'] {
  const [first = schema] = schema.anyOf ?? []
  const { type, format } = first
  if (format === 'uuid' || (first.pattern ?? '').startsWith('^[0-9A-Fa-f]{8}(-'))
    return name === 'cursor' ? 'text' : 'id'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'moment'
  if (type === 'integer' || type === 'boolean') return type
  return type === 'object' || type === 'array' ? 'json' : 'text'
}

// tw prints the words separately from the description
const enumerated = / ?\bAny of [\w, ]*, separated by commas\.|^One of [\w, ]*\.$/

function wordsIn(schema: Schema): readonly string[] {
  const beside = (schema.anyOf ?? []).flatMap(({ enum: some, const: one }) => some ?? one ?? [])
  return schema.enum ?? schema.pattern?.match(listed)?.[1]?.split('|') ?? beside
}
