import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The form of the archives that this version writes; it reads those up to it. */
export const format = 1

/** The names of the first entry and of the last one, without which an archive is not whole. */
export const [contentsName, checksumsName] = ['archive.json', 'checksums.json']

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** A name that stands in statements as it is. */
const Identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

const Table = z.object({ name: Identifier, columns: z.array(Identifier).min(1), key: z.array(Identifier).min(1) })

/** What an archive says of itself at its beginning. */
export const Contents = z.object({
  format: z.literal(format),
  /** the version that wrote it */
  taskwright: z.string(),
  madeAt: z.iso.datetime(),
  /** of PostgreSQL */
  database: z.string(),
  /** the database that it was made of; older archives do not name it */
  instance: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  /** the one whose rows it holds; null: all of the database */
  organization: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** by which the secrets of webhooks in it are sealed; null: none is in it */
  secretKeyFingerprint: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  migrations: z.array(z.object({ name: z.string(), hash: Sha256, appliedAt: z.string() })).min(1),
  /** in the order of its entries: each behind those that it refers to */
  tables: z.array(Table).min(1),
})
export type Contents = z.infer<typeof Contents>

const Count = z.int().min(0)

/** What an archive says at its end of all that stands before. */
const Checksums = z.strictObject({
  entries: z.array(z.strictObject({ name: z.string(), bytes: Count, sha256: Sha256 })),
  /** of the text of each table, before it was compressed */
  tables: z.record(Identifier, z.strictObject({ rows: Count, bytes: Count, sha256: Sha256 })),
})
export type Checksums = z.infer<typeof Checksums>
export type Digest = Checksums['tables'][string]

/** The last entry of an archive; it has a digest of itself, too. */
export const bodyOf = ({ entries, tables }: Checksums): Buffer =>
  asJson({ entries, tables, sha256: sha256Of(asJson({ entries, tables })) })

/** @throws when it is not as it was written */
export function checksumsFrom(body: Buffer): Checksums {
  const { sha256, ...checksums } = JSON.parse(body.toString())
  if (sha256 !== sha256Of(asJson(checksums))) throw new Error('The last entry is not what it was')
  return Checksums.parse(checksums)
}

export const asJson = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** In hexadecimal digits. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The name of a part of a table, counted from 1. */
export const partName = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`

/** The table of which an entry holds a part. */
export const tableOf = (name: string) => /^tables\/([a-z0-9_]+)\/[0-9]{6,}\.copy\.gz$/.exec(name)?.[1]
