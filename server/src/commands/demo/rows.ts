import { atOnce } from '../../db/at-once.ts'
import { type CopyTransaction, fieldOf, type Value } from '../../db/copy/copy-transaction.ts'
import { foldingTexts } from '../../db/lexemes.ts'
import { tables as ofResources } from '../../resources/index.ts'

/** The tables to fill, each after the tables that it references. */
export const tables: readonly string[] = [
  ...['organizations', 'event_counters', 'events'],
  ...ofResources.flatMap(({ name, joins }) => [name, ...Object.keys(joins)]),
]

/** Collects rows of one organization and copies them to the database. */
export interface Rows {
  /** @param row columns in camelCase; every row of a table must have the same columns, because one COPY sends them */
  add(table: string, row: Record<string, Value>): void
  /** whether enough rows wait to send them */
  readonly isFull: boolean
  /** Sends the waiting rows. */
  send(tx: CopyTransaction): Promise<void>
}

// characters of waiting rows before they are sent
const portion = 4_000_000

export function rowsOf(orgId: string): Rows {
  const columnsOf = new Map<string, string[]>()
  let lines = new Map<string, string[]>()
  let waiting = 0
  return {
    add(table, fields) {
      const row: Record<string, Value> = { ...fields, ...lexemesOf(orgId, table, fields) }
      const columns = columnsOf.get(table) ?? Object.keys(row)
      columnsOf.set(table, columns)
      const values = columns.map((column) => row[column])
      if (values.includes(undefined) || Object.keys(row).length !== columns.length)
        throw new Error(`A row of ${table} with other columns: ${Object.keys(row)}`)
      const line = `${[orgId, ...values.map((value) => fieldOf(value ?? null))].join('\t')}\n`
      const others = lines.get(table)
      if (others) others.push(line)
      else lines.set(table, [line])
      waiting += line.length
    },
    get isFull() {
      return waiting >= portion
    },
    async send(tx) {
      const sent = lines
      lines = new Map()
      waiting = 0
      for (const table of tables) {
        const columns = ['org_id', ...(columnsOf.get(table) ?? []).map(inSql)]
        const text = sent.get(table)
        if (text) await tx.copy(table, columns, Buffer.from(text.join('')))
      }
    },
  }
}

const foundBy = new Map(ofResources.map(({ name, foundBy }) => [name, foundBy]))

/** The search words of a row. Texts of the demo are short, so one synchronous step folds them. */
function lexemesOf(orgId: string, table: string, row: Record<string, Value>): Record<string, Value> {
  const texts = foundBy.get(table) ?? []
  if (texts.length === 0) return {}
  const { lexemes } = atOnce(
    foldingTexts(orgId, Object.fromEntries(texts.map((text) => [text, row[text] as string | null]))),
  )
  return { lexemes }
}

const inSql = (column: string) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
