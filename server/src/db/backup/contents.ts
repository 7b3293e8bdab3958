import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The format of the archives that this version writes. It reads archives up to this format. */
export const format = 1

/** The names of the first and the last entry. An archive without them is not complete. */
export const [contentsName, checksumsName] = ['archive.json', 'checksums.json']

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** A name that needs no quotes in statements. */
const Identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

const Table = z.object({ name: Identifier, columns: z.array(Identifier).min(1), key: z.array(Identifier).min(1) })

/** The first entry of an archive, which describes it. */
export const Contents = z.object({
  format: z.literal(format),
  /** the version that wrote it */
  taskwright: z.string(),
  madeAt: z.iso.datetime(),
  /** of PostgreSQL */
  database: z.string(),
  /** the database from which it was made; older archives do not name it */
  instance: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  /** the organization of its rows; null: the whole database */
  organization: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** of the key that seals the secrets of webhooks in it; null: it has none */
  secretKeyFingerprint: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  migrations: z.array(z.object({ name: z.string(), hash: Sha256, appliedAt: z.string() })).min(1),
  /** in the order of its entries: each after the tables to which it refers */
  tables: z.array(Table).min(1),
})
export type Contents = z.infer<typeof Contents>

const Count = z.int().min(0)

/** The last entry of an archive, with the checksums of all entries before it. */
const Checksums = z.strictObject({
  entries: z.array(z.strictObject({ name: z.string(), bytes: Count, sha256: Sha256 })),
  /** of the text of each table, before compression */
  tables: z.record(Identifier, z.strictObject({ rows: Count, bytes: Count, sha256: Sha256 })),
})
export type Checksums = z.infer<typeof Checksums>
export type Digest = Checksums['tables'][string]

/** The body of the last entry, which also has a checksum of itself. */
export const bodyOf = ({ entries, tables }: Checksums): Buffer =>
  asJson({ entries, tables, sha256: sha256Of(asJson({ entries, tables })) })

/** Reads the last entry. @throws if its checksum is wrong */
export function checksumsFrom(body: Buffer): Checksums {
  const { sha256, ...checksums } = JSON.parse(body.toString())
  if (sha256 !== sha256Of(asJson(checksums))) throw new Error('The last entry is not what it was')
  return Checksums.parse(checksums)
}

export const asJson = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** The SHA-256 in hexadecimal digits. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The entry name of a part of a table, counted from 1. */
export const partName = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`

/** The table to which an entry belongs. */
export const tableOf = (name: string) => /^tables\/([a-z0-9_]+)\/[0-9]{6,}\.copy\.gz$/.exec(name)?.[1]
