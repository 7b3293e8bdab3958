import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import {
  asJson,
  bodyOf,
  type Checksums,
  type Contents,
  checksumsName,
  contentsName,
  partName,
  sha256Of,
} from './contents.ts'
import { contentsIn, shareOf } from './contents-of-database.ts'
import { type Sink, writeWhole } from './file.ts'
import type { OnProgress } from './reading.ts'
import { inSnapshot } from './snapshot.ts'
import { partsOf, type TablePart, tableDigest } from './table-text.ts'
import type { ArchivedTable } from './tables.ts'
import { packed, packedEnd } from './tar.ts'

interface BackUpOptions {
  version: string
  /** only the rows of this organization */
  orgId?: string | undefined
  /** whether an existing file may be replaced */
  replacing?: boolean
  say?: (sentence: string) => void
  told?: OnProgress
  /** how long to wait for the next rows; default: five minutes */
  silentAfterMs?: number | undefined
  /** gives up at once, and leaves no file */
  signal?: AbortSignal | undefined
}

interface BackupResult {
  rows: number
  bytes: number
  contents: Contents
  checksums: Checksums
}

/**
 * Writes one snapshot of the database into one file, while servers go on writing.
 * @param to the path of a file, or a sink for its bytes
 * @throws ArchiveProblem in a plain sentence; then there is no file
 */
export async function backUp(
  connection: pg.ClientConfig,
  to: string | Sink,
  options: BackUpOptions,
): Promise<BackupResult> {
  const writeAll = (sink: Sink) =>
    inSnapshot(connection, (client, tables) => writeDatabase(client, tables, sink, options), options)
  return typeof to === 'string' ? writeWhole(to, options.replacing ?? false, writeAll) : writeAll(to)
}

async function writeDatabase(
  client: pg.Client,
  all: ArchivedTable[],
  sink: Sink,
  options: BackUpOptions,
): Promise<BackupResult> {
  const { orgId, told = () => {}, silentAfterMs, signal } = options
  const contents = await contentsIn(client, all, options)
  const tar = tarInto(sink, new Date(contents.madeAt), signal)
  await tar.add(contentsName, asJson(contents))
  const share = await shareOf(client, contents.tables)
  const tables: Checksums['tables'] = {}
  let rows = 0
  for (const table of contents.tables) {
    const digest = tableDigest()
    let number = 0
    for await (const { part, zipped } of zippedAhead(partsOf(client, table, { orgId, silentAfterMs }))) {
      await tar.add(partName(table.name, ++number), zipped)
      digest.add(part)
      rows += part.rows
      told({ share: share(table, digest.rows()), rows, bytes: tar.bytes() })
    }
    tables[table.name] = digest.digest()
  }
  const checksums = { entries: [...tar.entries], tables }
  await tar.add(checksumsName, bodyOf(checksums))
  await tar.end()
  return { rows, bytes: tar.bytes(), contents, checksums }
}

/** Writes the entries of a tar one after the other, and keeps their checksums. */
function tarInto(sink: Sink, mtime: Date, signal: AbortSignal | undefined) {
  const entries: Checksums['entries'] = []
  let bytes = 0
  const write = async (tar: Uint8Array) => {
    signal?.throwIfAborted()
    await sink.write(tar)
    bytes += tar.length
  }
  return {
    entries,
    bytes: () => bytes,
    async add(name: string, body: Buffer) {
      entries.push({ name, bytes: body.length, sha256: sha256Of(body) })
      await write(await packed({ name, body }, mtime))
    },
    end: () => write(packedEnd()),
  }
}

interface GzipOptions {
  part: TablePart
  zipped: Buffer
}

/** Compresses one part in a thread while the next one is read. */
async function* zippedAhead(parts: AsyncIterable<TablePart>): AsyncGenerator<GzipOptions> {
  let before: Promise<GzipOptions> | undefined
  for await (const part of parts) {
    const next = zip(part)
    // the next await throws the error
    next.catch(() => {})
    if (before) yield await before
    before = next
  }
  if (before) yield await before
}

const zip = async (part: TablePart): Promise<GzipOptions> => ({
  part,
  zipped: await promisify(gzip)(part.text, { level }),
})

// half the time of the default level, for a tenth more bytes
const level = 3
