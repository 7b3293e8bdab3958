import { Sql, sql } from './sql.ts'

/** Names of fields of a resource; undefined: all of them. */
export type Fields = readonly string[] | undefined

/** The columns of a resource, by field. As a piece of SQL it selects all of them. */
export class Columns extends Sql {
  /** Selects only the columns of these fields. It skips unknown names. */
  readonly of: (fields: Fields) => Sql

  constructor(of: (fields: Fields) => Sql) {
    const all = of(undefined)
    super(all.strings, all.values, all.customPlan)
    this.of = (fields) => (fields === undefined ? all : of(fields))
  }

  /** Adds a piece that is read for any selection of fields; it begins with a comma. */
  beside(piece: Sql): Columns {
    return new Columns((fields) => sql`${this.of(fields)}${piece}`)
  }
}

/** The requested fields, and others that the server needs. It reads these too, and shows them only on request. */
export const atLeast = (fields: Fields, ...needed: readonly string[]): Fields => fields && [...fields, ...needed]

interface Shape<Item> {
  /** by field, its SQL if it differs from the column of the same name */
  shows?: { [field in keyof Item]?: Sql } | undefined
  /** by field, other fields that it needs to be shown correctly */
  needs?: { [field in keyof Item]?: readonly string[] } | undefined
}

/** The columns of a table, in the order of the fields: `tags.id, …, tags.created_at as "createdAt"`. */
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
