/** An operation of the API as the command line knows it. */
export interface Operation {
  /** `projects.members.add`: its words on the command line */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** below /api/v1, ids in braces */
  path: string
  summary: string
  description?: string
  /** what a key and its member need to be allowed */
  access: string
  parameters: readonly Parameter[]
  /** how its list pages; absent: it answers no list */
  list?: 'cursor' | 'offset'
  /** the name of the schema that it answers, of a list that of its items; absent: it answers nothing */
  answers?: string
  /** it also answers as CSV */
  csv?: true
}

/** What an operation takes, of a field within another one by their path: `owner.email`. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'body'
  type: 'text' | 'integer' | 'boolean' | 'date' | 'moment' | 'id' | 'json'
  /** what an id names */
  of?: Kind
  /** the words that it may be; of an id or a date those that may stand for one: `me`, `none` */
  words?: readonly string[]
  /** several may be given: each by itself, or in one text separated by commas */
  list?: 'items' | 'commas'
  required?: true
  nullable?: true
  /** of an id: the API itself also takes what looks like this */
  accepts?: string
  description?: string
}

/** Whether it is a list of a body that can be edited by what is added and taken off. */
export const isListOfIds = ({ in: place, list, type }: Parameter): boolean =>
  place === 'body' && list === 'items' && type === 'id'

/** What ids name that people know by other names. */
const kinds = ['project', 'task', 'member', 'workspace', 'stage', 'type', 'tag'] as const
export type Kind = (typeof kinds)[number]

/** By the names of schemas, the fields that they have. */
export type Shapes = Record<string, readonly string[]>
