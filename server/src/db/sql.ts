/** A piece of SQL: text with a hole for each value. Values are always sent as parameters. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** whether PostgreSQL plans the statement for each set of values, instead of once for all values */
  readonly customPlan: boolean

  constructor(strings: readonly string[], values: readonly unknown[], customPlan = false) {
    this.strings = strings
    this.values = values
    this.customPlan = customPlan
  }

  /** The statement as PostgreSQL reads it, with $1, $2, … */
  get text(): string {
    let text = this.strings[0] ?? ''
    for (let i = 1; i < this.strings.length; i++) text += `$${i}${this.strings[i]}`
    return text
  }
}

/** Builds a piece of SQL: pieces nest, all other values become parameters. */
export function sql(parts: TemplateStringsArray, ...holes: unknown[]): Sql {
  const strings = [parts[0] ?? '']
  const values: unknown[] = []
  let customPlan = false
  const append = (text: string) => {
    strings[strings.length - 1] += text
  }
  holes.forEach((hole, i) => {
    if (hole instanceof Sql) {
      append(hole.strings[0] ?? '')
      strings.push(...hole.strings.slice(1))
      values.push(...hole.values)
      customPlan ||= hole.customPlan
    } else {
      strings.push('')
      values.push(hole)
    }
    append(parts[i + 1] ?? '')
  })
  return new Sql(strings, values, customPlan)
}

sql.empty = new Sql([''], [])

/** The name of a table, or the name of a column in camelCase. */
sql.named = (name: string): Sql => new Sql([column(name)], [])

/** A number in the text of the statement: a generic plan knows it, unlike a parameter. */
sql.literal = (number: number): Sql => new Sql([String(number)], [])

/** `tags.created_at as "createdAt"`: the column of a field, or `shown` under the field's name. */
sql.field = (table: string, field: string, shown?: Sql): Sql => {
  const [from, name] = [column(table), column(field)]
  const value = shown ?? new Sql([`${from}.${name}`], [])
  return shown === undefined && name === field ? value : sql`${value} as ${new Sql([`"${field}"`], [])}`
}

/** Joins pieces with a text between them. */
sql.join = (pieces: readonly Sql[], between: string): Sql =>
  pieces.reduce(
    (all, piece, i) => (i === 0 ? piece : new Sql(...joined(all, between, piece), all.customPlan || piece.customPlan)),
    sql.empty,
  )

/** Gives a statement with this piece a custom plan: its values decide whether few or very many rows match. */
sql.customPlan = (piece: Sql): Sql => new Sql(piece.strings, piece.values, true)

/** Joins conditions by `and`; absent ones are left out. */
sql.all = (...conditions: (Sql | undefined | '' | false)[]): Sql =>
  sql.join(
    conditions.filter((condition) => condition instanceof Sql),
    ' and ',
  )

/** `(a, b) values ($1, $2)` of an object; undefined values get the column's default. Values may be SQL. */
sql.values = (row: Record<string, unknown>): Sql => {
  const given = Object.entries(row).filter(([, value]) => value !== undefined)
  const columns = new Sql([given.map(([name]) => column(name)).join(', ')], [])
  return sql`(${columns}) values (${sql.join(
    given.map(([, value]) => sql`${value}`),
    ', ',
  )})`
}

/** `a = $1, b = $2` of an object; undefined values leave the column as it is. Values may be SQL. */
sql.set = (changes: Record<string, unknown>): Sql =>
  sql.join(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => sql`${sql.named(name)} = ${value}`),
    ', ',
  )

/** The strength of a row lock, held until the transaction ends. @see PostgreSQL, row-level locks */
export type RowLock = 'none' | 'key share' | 'share' | 'no key update' | 'update'

/** `for update` and its weaker kinds, of one table; nothing for 'none'. */
sql.lock = (strength: RowLock, table: Sql): Sql =>
  strength === 'none' ? sql.empty : sql`${new Sql([`for ${strength} of `], [])}${table}`

function joined(left: Sql, between: string, right: Sql): [string[], unknown[]] {
  const strings = [...left.strings]
  strings[strings.length - 1] += between + (right.strings[0] ?? '')
  return [
    [...strings, ...right.strings.slice(1)],
    [...left.values, ...right.values],
  ]
}

function column(name: string): string {
  if (!/^[a-z][A-Za-z0-9_]*$/.test(name)) throw new Error(`Not the name of a table or a column: ${name}`)
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
