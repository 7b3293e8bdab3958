import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import type { Data } from '../load/data.ts'
import { announce } from './listening.ts'
import { task } from './statements.ts'

// A page of tasks and nothing else, as one writes it who measures what Node and pg can do at most: one organization, no key,
// no validation, rows as arrays of text, JSON put together by hand. A page further back is asked for by ?before=<id>.

const { BENCH_DATABASE_URL = '', BENCH_DATA = '' } = process.env
const { orgId } = (JSON.parse(readFileSync(BENCH_DATA, 'utf8')) as Data).big

const pool = new pg.Pool({
  connectionString: BENCH_DATABASE_URL,
  max: 16,
  options: '-c timezone=UTC -c datestyle=ISO',
  types: { getTypeParser: () => (text: string) => text } as pg.CustomTypesConfig,
})
pool.on('connect', (client) => client.on('error', () => {}))

const selected = `select ${task} from tasks where org_id = $1 and deleted_at is null`
const first = { name: 'first', text: `${selected} order by id desc limit 51` }
const further = { name: 'further', text: `${selected} and id < $2 order by id desc limit 51` }

type Values = (string | null)[]

const server = createServer((request, response) => {
  const before = /[?&]before=([^&]+)/.exec(request.url ?? '')?.[1]
  const asked = before === undefined ? { ...first, values: [orgId] } : { ...further, values: [orgId, before] }
  pool.query<Values>({ ...asked, rowMode: 'array' }).then(
    ({ rows, fields }) => send(response, 200, pageOf(rows, fields)),
    (error: unknown) => send(response, 500, JSON.stringify({ error: String(error) })),
  )
})
server.listen(0, '127.0.0.1', () => announce(server))

type Written = (text: string) => string
let columns: { opening: string; written: Written; isId: boolean }[] | undefined

function pageOf(rows: readonly Values[], fields: readonly pg.FieldDef[]): string {
  columns ??= fields.map(({ name, dataTypeID }, place) => ({
    opening: `${place === 0 ? '{' : ','}"${name}":`,
    written: writtenAs[dataTypeID] ?? quoted,
    isId: name === 'id',
  }))
  const shown = rows.slice(0, 50)
  const last = shown.at(-1)?.[columns.findIndex(({ isId }) => isId)]
  let text = '{"data":['
  for (const [place, row] of shown.entries()) {
    if (place > 0) text += ','
    for (let i = 0; i < columns.length; i++) {
      const value = row[i] ?? null
      const column = columns[i]
      if (column) text += column.opening + (value === null ? 'null' : column.written(value))
    }
    text += '}'
  }
  return `${text}],"pagination":{"nextCursor":${rows.length > 50 ? `"${last}"` : null}}}`
}

const quoted: Written = (text) => `"${text}"`
const bare: Written = (text) => text
const list: Written = (text) => (text === '{}' ? '[]' : `["${text.slice(1, -1).replaceAll(',', '","')}"]`)

// by the types of PostgreSQL: whole numbers and others, text, lists of ids
const writtenAs: Record<number, Written> = {
  ...{ 20: bare, 21: bare, 23: bare, 701: bare, 1700: bare },
  ...{ 25: JSON.stringify, 1043: JSON.stringify },
  2951: list,
}

function send(response: ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(text)
}
