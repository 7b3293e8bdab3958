import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LastUsedWriter } from '../../src/access/usable-keys.ts'
import { sql } from '../../src/db/sql.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { created, sharedServer } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

test(
  "all uses of an organization's keys within five seconds are written in one transaction",
  onPlainPostgres('it looks which transaction wrote a row'),
  async () => {
    const { orgId, owner } = await newWorld()
    const making = Array.from({ length: 50 }, (_, n) => created(owner.post('/api-keys', { name: `Robot ${n}` })))
    const ids = (await Promise.all(making)).map(({ id }) => id)
    const usage = new LastUsedWriter(db, assert.ifError)
    for (const id of ids) usage.recordUse(orgId, id)
    await usage.write()
    const written = await db.rows<{ keys: number }>(sql`
      select count(last_used_at)::int as keys from api_keys where org_id = ${orgId} and id = any(${ids}) group by xmin`)
    assert.deepEqual(written, [{ keys: 50 }])
  },
)
