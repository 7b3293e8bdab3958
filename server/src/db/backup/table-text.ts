import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Digest } from './contents.ts'
import { ArchiveProblem } from './problem.ts'
import type { ArchivedTable } from './tables.ts'

// size of the rows before compression; a few parts are in memory at a time
const partSizeBytes = 4 * 1_048_576

/** Some rows of a table, as COPY writes them. */
export interface TablePart {
  text: Buffer
  rows: number
}

interface PartsOptions {
  /** only the rows of this organization */
  orgId?: string | undefined
  /** how long to wait for the next rows */
  silentAfterMs?: number | undefined
}

/**
 * Yields the rows of a table in the order of its key, which is the same on every machine. So equal rows are equal bytes.
 * @throws ArchiveProblem if the database stops responding
 */
export async function* partsOf(
  client: pg.Client,
  table: ArchivedTable,
  { orgId, silentAfterMs = 300_000 }: PartsOptions = {},
): AsyncGenerator<TablePart> {
  const stream = client.query(copyTo(statementFor(table, orgId)))
  let waiting: Buffer[] = []
  let waitingBytes = 0
  for await (const piece of piecesOf(stream, silentAfterMs)) {
    waiting.push(piece)
    waitingBytes += piece.length
    if (waitingBytes < partSizeBytes) continue
    const all = Buffer.concat(waiting)
    // COPY writes a line feed within a text as \n, so this byte ends a row
    const end = all.lastIndexOf(lineFeed) + 1
    if (end > 0) yield partOf(all.subarray(0, end))
    waiting = [all.subarray(end)]
    waitingBytes = all.length - end
  }
  if (waitingBytes > 0) yield partOf(Buffer.concat(waiting))
}

/** Limits the wait for the database: a backup that waits for ever would be the last. The time of its own disk is not counted. */
async function* piecesOf(stream: Readable, silentAfterMs: number): AsyncGenerator<Buffer> {
  const silent = new ArchiveProblem('The database stopped answering, so the backup was stopped.')
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const late = setTimeout(() => stream.destroy(silent), silentAfterMs)
      const { done, value } = await pieces.next().finally(() => clearTimeout(late))
      if (done) return
      yield value
    }
  } finally {
    stream.destroy()
  }
}

// all names and ids here were checked before: COPY takes no parameters
const statementFor = ({ name, columns, key }: ArchivedTable, orgId: string | undefined) =>
  `copy (select ${columns.join(', ')} from ${name} ${orgId === undefined ? '' : `where org_id = '${orgId}'`}
     order by ${key.join(', ')}) to stdout`

const lineFeed = 10

/** Computes the digest of a table, part by part. */
export function tableDigest() {
  const hash: Hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  return {
    add(part: TablePart): void {
      hash.update(part.text)
      rows += part.rows
      bytes += part.text.length
    },
    rows: () => rows,
    digest: (): Digest => ({ rows, bytes, sha256: hash.digest('hex') }),
  }
}

/** A part from a text of COPY. */
export const partOf = (text: Buffer): TablePart => ({ text, rows: linesIn(text) })

function linesIn(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) count++
  return count
}
