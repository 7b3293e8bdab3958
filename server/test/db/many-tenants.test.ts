import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { processorUs } from '../support/slow/processor-time.ts'
import { databaseUrl } from '../support/world.ts'

const count = 2_000

test('what a statement or a transaction costs does not grow with how many organizations wait for theirs', async (t) => {
  const patience = { waitTimeoutMs: 60_000, maxWaiting: 2 * count }
  const db = new Database({ connection: { connectionString: databaseUrl }, ...patience })
  afterwards(t, () => db.close())
  const read = (orgId: string) => db.forTenant(orgId).rows(sql`select 1`)
  const write = (orgId: string) => db.forTenant(orgId).transaction((tx) => tx.rows(sql`select 1`))
  for (const send of [read, write]) {
    const few = Array.from({ length: count / 100 }, () => randomUUID())
    const many = Array.from({ length: count }, () => randomUUID())
    await processorUsOf(send, few)
    const rounds = []
    for (let round = 0; round < 2; round++)
      rounds.push({ few: await processorUsOf(send, few), many: await processorUsOf(send, many) })
    const ratio = Math.min(...rounds.map(({ many }) => many)) / Math.min(...rounds.map(({ few }) => few))
    assert.ok(ratio < 2.5, `${send.name}: ${ratio.toFixed(1)} times as much processor time`)
  }
})

/** The processor time that 2,000 of them take that are sent at once, by these organizations in turn. */
const processorUsOf = (send: (orgId: string) => Promise<unknown>, orgIds: readonly string[]): Promise<number> =>
  processorUs(() => Promise.all(Array.from({ length: count }, (_, n) => send(orgIds[n % orgIds.length] ?? ''))))
