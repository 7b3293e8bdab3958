/** An operation of the API, as tw needs it. */
export interface Operation {
  /** `projects.members.add`: its words in tw */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** below /api/v1, with ids in braces */
  path: string
  summary: string
  description?: string
  /** the required scope and role */
  access: string
  parameters: readonly Parameter[]
  /** the kind of pagination; undefined if the response is not a list */
  list?: 'cursor' | 'offset'
  /** the schema of the response, or of a list's items; undefined for an empty response */
  answers?: string
  /** the response is also available as CSV */
  csv?: true
}

/** A parameter of an operation. A nested field has a path: `owner.email`. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'body'
  type: 'text' | 'integer' | 'boolean' | 'date' | 'moment' | 'id' | 'json'
  /** the kind of resource of an id */
  of?: Kind
  /** the allowed words; for an id or a date, words that can replace it: `me`, `none` */
  words?: readonly string[]
  /** accepts several values: repeated, or separated by commas in one text */
  list?: 'items' | 'commas'
  required?: true
  nullable?: true
  /** for an id, a pattern of other texts that the API accepts */
  accepts?: string
  description?: string
}

/** Whether it is a list in the body that supports adding and removing items. */
export const isListOfIds = ({ in: place, list, type }: Parameter): boolean =>
  place === 'body' && list === 'items' && type === 'id'

/** Kinds of resources that users name by other texts than ids. */
const kinds = ['project', 'task', 'member', 'workspace', 'stage', 'type', 'tag'] as const
export type Kind = (typeof kinds)[number]

/** The fields of each schema, by name. */
export type Shapes = Record<string, readonly string[]>
