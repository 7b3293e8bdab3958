import assert from 'node:assert/strict'
import { type SeedResult, seed, type WantedYear } from '../../../src/commands/demo/seed.ts'
import type { Database } from '../../../src/db/pool/database.ts'
import { Sql } from '../../../src/db/sql.ts'

export const everybody = ['owner', 'admin', 'member', 'viewer'] as const

const silent = { tell() {}, end() {} }

/** Seeded organizations in a database, and what can be asked about them. */
export const seedingOf = (db: Database) => ({
  /** A new organization; nobody is told. */
  seeded: (wanted: Partial<WantedYear>): Promise<SeedResult> =>
    seed(db, { seed: 7, tasks: 700, keysFor: everybody, ...wanted }, silent),

  /** Every row of a statement about an organization, which it knows as $1. */
  rowsAbout<Row>({ orgId }: SeedResult, text: string): Promise<Row[]> {
    const strings = text.split('$1')
    return db.rows<Row>(new Sql(strings, Array(strings.length - 1).fill(orgId)))
  },
})

/** The API key of one of those who got one. */
export const keyOf = ({ keys }: SeedResult, wanted: (typeof everybody)[number]): string =>
  keys.find(({ as }) => as === wanted)?.secret ?? assert.fail(`no key of ${wanted}`)
