import { Sql, sql } from './sql.ts'

/** Names of fields of a resource; undefined: all of them. */
export type Fields = readonly string[] | undefined

/** What is shown of a row, field by field. As a piece of SQL it is all of it. */
export class Columns extends Sql {
  /** Only what these fields take. A name that is none of its fields is left out. */
  readonly of: (fields: Fields) => Sql

  constructor(of: (fields: Fields) => Sql) {
    const all = of(undefined)
    super(all.strings, all.values, all.customPlan)
    this.of = (fields) => (fields === undefined ? all : of(fields))
  }

  /** The same with a piece behind it that is read whatever the fields are; it begins with a comma. */
  beside(piece: Sql): Columns {
    return new Columns((fields) => sql`${this.of(fields)}${piece}`)
  }
}

/** These fields, and others that the server itself needs: they are read, and not shown unless they were asked for. */
export const atLeast = (fields: Fields, ...needed: readonly string[]): Fields => fields && [...fields, ...needed]

interface Shape<Item> {
  /** by field, what it shows where that is not the column of its name */
  shows?: { [field in keyof Item]?: Sql } | undefined
  /** by field, the others without which it is not shown as it is */
  needs?: { [field in keyof Item]?: readonly string[] } | undefined
}

/** What is shown of a row, in the order of the fields: `tags.id, …, tags.created_at as "createdAt"`. */
export function columnsOf<Item>(
  name: string,
  { shape }: { shape: object; _zod: { output: Item } },
  { shows = {}, needs = {} }: Shape<Item> = {},
): Columns {
  const all = Object.keys(shape) as (keyof Item & string)[]
  const columns = all.map((field) => ({ field, column: sql.field(name, field, shows[field]) }))
  return new Columns((fields) => {
    const read = fields && new Set([...fields, ...fields.flatMap((field) => needs[field as keyof Item] ?? [])])
    const wanted = read === undefined ? columns : columns.filter(({ field }) => read.has(field))
    return sql.join(
      wanted.map(({ column }) => column),
      ', ',
    )
  })
}
