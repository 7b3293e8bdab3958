import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Authenticator } from '../../src/access/auth.ts'
import { Database } from '../../src/db/pool/database.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { created, migratedDatabase, startServer } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)

test('an unknown key is looked up while all connections of reads wait for a locked table', async (t) => {
  // nothing that waits for the table is answered before it is released
  const limits = { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000, waitTimeoutMs: 60_000 }
  const db = new Database({ connection: { connectionString: url }, poolSize: 6, ...limits })
  afterwards(t, () => db.close())
  const authenticator = new Authenticator(db, undefined, () => {})
  const { api, newWorld } = await startServer({ db, url, authenticator })
  const worlds = await Promise.all(Array.from({ length: 8 }, newWorld))
  const { owner } = await newWorld()
  const { secret } = await created(owner.post('/api-keys', { name: 'Fresh', memberId: owner.memberId }))
  const { release, waiters } = await hold(t, url, 'lock table tasks in access exclusive mode')
  const stuck = worlds.map(({ owner }) => owner.get(`/tasks/${randomUUID()}`))
  await waiters(db.pools.find(({ kind }) => kind === 'reads')?.most ?? 0)
  assert.equal((await api(secret).post('/tags', { name: 'Written' })).status, 201)
  await release()
  for (const { status } of await Promise.all(stuck)) assert.equal(status, 404)
})
