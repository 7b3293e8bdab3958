import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  type Checksums,
  Contents,
  checksumsFrom,
  checksumsName,
  contentsName,
  format,
  partName,
  sha256Of,
  tableOf,
} from './contents.ts'
import { ArchiveProblem } from './problem.ts'
import { partOf, type TablePart, tableDigest } from './table-text.ts'
import { type Entry, entriesOf, notWhole } from './tar.ts'

/** An archive that was read to its end and is complete. */
export interface Archive {
  file: string
  contents: Contents
  checksums: Checksums
  /** of its entries */
  bytes: number
}

/**
 * Reads an archive to its end and compares its entries with their checksums.
 * @throws ArchiveProblem if an entry is damaged or missing, or if this version cannot read the archive
 */
export async function checkedArchive(file: string, signal?: AbortSignal): Promise<Archive> {
  const found: Checksums['entries'] = []
  let contents: Contents | undefined
  let checksums: Checksums | undefined
  for await (const { name, body } of entriesOf(file)) {
    signal?.throwIfAborted()
    if (checksums) throw notWhole(file, 'it has data after its end')
    if (name === checksumsName) {
      checksums = parsed(file, () => checksumsFrom(body))
      continue
    }
    if (found.length === 0 && name === contentsName) contents = contentsFrom(file, body)
    found.push({ name, bytes: body.length, sha256: sha256Of(body) })
  }
  if (!contents) throw notWhole(file, `it does not begin with ${contentsName}`)
  if (!checksums) throw notWhole(file, 'its end is missing')
  const { entries, tables } = checksums
  const wrong = found.find(({ name, bytes, sha256 }, at) => {
    const said = entries[at]
    return said?.name !== name || said.bytes !== bytes || said.sha256 !== sha256
  })
  if (wrong) throw notWhole(file, `${wrong.name} has changed`)
  if (found.length !== entries.length) throw notWhole(file, 'a part of it is missing')
  if (contents.tables.some(({ name }) => !tables[name])) throw notWhole(file, 'a table of it is missing')
  return { file, contents, checksums, bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0) }
}

function contentsFrom(file: string, body: Buffer): Contents {
  const said = parsed(file, () => Contents.pick({ taskwright: true }).loose().parse(JSON.parse(body.toString())))
  if (typeof said.format === 'number' && said.format > format)
    throw new ArchiveProblem(
      `${file} was made by a newer Taskwright (${said.taskwright}): restore it with that version.`,
    )
  return parsed(file, () => Contents.parse(said))
}

function parsed<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw notWhole(file, 'its description cannot be read')
  }
}

/** The amount of an archive that is read or written so far. */
export interface ArchiveReading {
  bytes: number
  rows: number
}

/** Called after each part. `share` is the part of the whole, 0 to 1. */
export type OnProgress = (progress: ArchiveReading & { share: number }) => void

/**
 * Yields the rows of one table after the other, in the order of the archive. The caller must read each to its end.
 * @throws ArchiveProblem if the file has changed since it was checked
 */
export async function* tablesIn({ file, contents, checksums }: Archive, told: (reading: ArchiveReading) => void) {
  const entries = entriesOf(file)
  const reading: ArchiveReading = { bytes: 0, rows: 0 }
  const next = async (): Promise<Entry> => {
    const { value } = await entries.next()
    if (!value) throw notWhole(file, 'a part of it is missing')
    reading.bytes += value.body.length
    return value
  }
  try {
    await next()
    let entry = await next()
    for (const table of contents.tables) {
      const digest = tableDigest()
      yield { table, parts: parts() }
      const [is, said] = [digest.digest(), checksums.tables[table.name]]
      if (is.sha256 !== said?.sha256 || is.rows !== said.rows || is.bytes !== said.bytes)
        throw notWhole(file, `the rows of ${table.name} have changed`)

      async function* parts(): AsyncGenerator<TablePart> {
        for (let number = 1; tableOf(entry.name) === table.name; number++) {
          if (entry.name !== partName(table.name, number)) throw notWhole(file, `${entry.name} is out of order`)
          const part = await unzipped(entry, file)
          digest.add(part)
          entry = await next()
          yield part
          reading.rows += part.rows
          told(reading)
        }
      }
    }
    if (entry.name !== checksumsName) throw notWhole(file, `${entry.name} does not belong to it`)
  } finally {
    await entries.return(undefined)
  }
}

// a part has 4 MB and one row, and no row is nearly this long; an archive that unpacks to more would fill the memory
const mostPartBytes = 67_108_864

async function unzipped({ name, body }: Entry, file: string): Promise<TablePart> {
  try {
    return partOf(await promisify(gunzip)(body, { maxOutputLength: mostPartBytes }))
  } catch (error) {
    throw notWhole(
      file,
      (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? `${name} unpacks to more than ${mostPartBytes / 1_048_576} MB`
        : `${name} cannot be decompressed`,
    )
  }
}
