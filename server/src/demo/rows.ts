import { atOnce } from '../db/at-once.ts'
import { type CopyTransaction, fieldOf, type Value } from '../db/copy/copy-transaction.ts'
import { foldingTexts } from '../db/lexemes.ts'
import { tables as ofResources } from '../resources/index.ts'

/** The tables that are filled, each behind those that it refers to. */
export const tables: readonly string[] = [
  ...['organizations', 'event_counters', 'events'],
  ...ofResources.flatMap(({ name, joins }) => [name, ...Object.keys(joins)]),
]

/** Rows of one organization on their way to the database. */
export interface Rows {
  /** @param row columns in camelCase: in every row of a table the same ones, as all go in one COPY */
  add(table: string, row: Record<string, Value>): void
  /** bytes that wait to be sent */
  readonly waiting: number
  /** Sends what waits. */
  send(tx: CopyTransaction): Promise<void>
}

export function rowsOf(orgId: string): Rows {
  const columnsOf = new Map<string, string[]>()
  let texts = new Map<string, Text>()
  let waiting = 0
  return {
    add(table, fields) {
      const row: Record<string, Value> = { ...fields, ...lexemesOf(orgId, table, fields) }
      const columns = columnsOf.get(table) ?? Object.keys(row)
      let text = texts.get(table)
      if (text === undefined) {
        if (!tables.includes(table)) throw new Error(`No table of the demo: ${table}`)
        columnsOf.set(table, columns)
        text = newText()
        texts.set(table, text)
      }
      const values = columns.map((column) => row[column])
      if (values.includes(undefined) || Object.keys(row).length !== columns.length)
        throw new Error(`A row of ${table} with other columns: ${Object.keys(row)}`)
      let line = orgId
      for (const value of values) line += `\t${fieldOf(value ?? null)}`
      waiting += text.append(`${line}\n`)
    },
    get waiting() {
      return waiting
    },
    async send(tx) {
      const sent = texts
      texts = new Map()
      waiting = 0
      for (const table of tables) {
        const text = sent.get(table)
        if (text) await tx.copy(table, ['org_id', ...(columnsOf.get(table) ?? []).map(inSql)], text.bytes())
      }
    },
  }
}

const foundBy = new Map(ofResources.map(({ name, foundBy }) => [name, foundBy]))

/** What a row is found by. Its texts are short. */
function lexemesOf(orgId: string, table: string, row: Record<string, Value>): Record<string, Value> {
  const texts = foundBy.get(table) ?? []
  if (texts.length === 0) return {}
  const { lexemes } = atOnce(
    foldingTexts(orgId, Object.fromEntries(texts.map((text) => [text, row[text] as string | null]))),
  )
  return { lexemes }
}

interface Text {
  /** @returns how many bytes it was */
  append(line: string): number
  bytes(): Buffer
}

/** Bytes and not strings: a string of many pieces keeps the garbage collector busier than all the rest. */
function newText(): Text {
  let buffer = Buffer.allocUnsafe(65_536)
  let length = 0
  return {
    append(line) {
      // a character takes three bytes at most
      if (length + line.length * 3 > buffer.length)
        buffer = Buffer.concat([buffer], buffer.length * 2 + line.length * 3)
      const written = buffer.write(line, length)
      length += written
      return written
    },
    bytes: () => buffer.subarray(0, length),
  }
}

const inSql = (column: string) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// bytes of rows that are made before they are sent
const portionSizeBytes = 4_000_000

/** Sends rows in portions: one portion is on its way while the next is made. */
export function portionsOnto(tx: CopyTransaction) {
  let sent: Promise<void> = Promise.resolve()
  return {
    /** Whether so much waits that it is worth sending. */
    isFull: ({ waiting }: Rows): boolean => waiting >= portionSizeBytes,
    /** Sends what waits as soon as the portion before has arrived; does not wait until it has arrived itself. */
    async send(rows: Rows): Promise<void> {
      await sent
      sent = rows.send(tx)
      // a failure is thrown by the next await
      sent.catch(() => {})
    },
    /** Waits until all that was sent has arrived. */
    arrived: (): Promise<void> => sent,
  }
}
