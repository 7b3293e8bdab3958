import { randomUUID } from 'node:crypto'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { type Field, published } from './published.ts'
import type { Api } from './world.ts'

/** An id of each kind of thing, under the noun that stands before it in a path. */
export type Things = Record<string, string>

/** The path of a route with the ids of what there is. */
export const pathOf = ({ path }: Route, things: Things) =>
  path.replace(/([\w-]+)\/\{\w+\}/g, (_, noun: string) => `${noun}/${things[noun]}`)

const loaders = routes.filter(({ ids, target }) => ids.length === 1 && target !== undefined)
const nouns = new Map(loaders.map(({ path, target }) => [target, path.split('/')[1]]))

/** What ids name whose field is in no body; a resource may be anything. */
const namedElsewhere: Record<string, string> = {
  ...{ moveTasksTo: 'stages', resourceId: 'tasks', actorId: 'members', authorId: 'members' },
  ...{ createdBy: 'members', anyTagId: 'tags', keyId: 'api-keys', projectId: 'projects' },
}

/** What an id in a body or in a filter names: what some body refers to by a field of that name. */
export function nounOf({ path, references }: Route, field: string): string | undefined {
  // the items of a board are tasks
  if (field === 'id') return path.endsWith('/board') ? 'tasks' : path.split('/').at(-1)
  if (field in namedElsewhere) return namedElsewhere[field]
  const named = [references, ...routes.map((route) => route.references)].find(
    (known) => field in known || `${field}s` in known,
  )
  return nouns.get((named?.[field] ?? named?.[`${field}s`])?.to)
}

/** Bodies of which the required fields are not enough, or not as they should be. */
const special: Record<string, (things: Things, stranger: Api) => [object, ...object[]]> = {
  'POST /projects/{id}/members': (_, { memberId }) => [{ memberId, role: 'viewer' }],
  'PATCH /projects/{id}/members/{memberId}': () => [{ role: 'viewer' }],
  'POST /workspaces': ({ projects }) => [{ name: 'Board', projectId: projects, stages: ['To do'] }],
  'PATCH /stages/{id}': () => [{ name: 'Doing', category: 'done' }],
  'POST /stages/{id}/move': ({ nextStage }) => [{ afterId: nextStage }, { beforeId: nextStage }],
  'POST /tasks/{id}/move': ({ nextStage }) => [{ stageId: nextStage }],
  'POST /subtasks/{id}/move': ({ nextSubtask }) => [{ afterId: nextSubtask }, { beforeId: nextSubtask }],
  'POST /time-entries': ({ tasks, subtasks }) => [{ taskId: tasks }, { subtaskId: subtasks }],
  'PATCH /time-entries/{id}': () => [{ billable: true }],
  'POST /timer/start': ({ tasks, subtasks }) => [{ taskId: tasks }, { subtaskId: subtasks }],
  'POST /webhooks': ({ projects }) => [{ url: 'https://example.com/hook', projectId: projects }],
  'POST /bulk': () => [{ operations: [{ method: 'POST', path: '/tags', body: { name: randomUUID() } }] }],
}

/**
 * Bodies that an operation accepts, given what there is: more than one where one cannot hold every field. Of what is
 * required they have the examples that are published; an edit has the first field that names nothing else.
 */
export function bodiesOf(route: Route, things: Things, stranger: Api): [object, ...object[]] {
  const known = special[`${route.method} ${route.path}`]
  if (known) return known(things, stranger)
  const { properties = {}, required = [] } = published(route.body)
  const edited = Object.keys(properties).filter((field) => nounOf(route, field) === undefined)
  const fields = route.method === 'PATCH' ? edited.slice(0, 1) : required
  return [Object.fromEntries(fields.map((field) => [field, valueFor(field)]))]

  function valueFor(field: string): unknown {
    const noun = nounOf(route, field)
    if (noun !== undefined) return things[noun]
    const example = exampleOf(field, properties[field] ?? {})
    // what is made twice may have to differ, an edit that is sent again is the same
    return field === 'name' && route.method === 'POST' ? `${example} ${randomUUID()}` : example
  }
}

/** An example of a field; an address is another one each time. */
function exampleOf(name: string, field: Field): unknown {
  const { properties, required = [], examples = [] } = field
  if (properties) return Object.fromEntries(required.map((inner) => [inner, exampleOf(inner, properties[inner] ?? {})]))
  if (field.format === 'idn-email') return `${randomUUID()}@example.com`
  const [example] = [...examples, ...(field.enum ?? [])]
  if (example === undefined) throw new Error(`${name} has no example in its schema, and no body in sample-bodies.ts`)
  return example
}
