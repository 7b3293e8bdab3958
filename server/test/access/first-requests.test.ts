import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey } from '../../src/access/keys.ts'
import { newId } from '../../src/db/ids.ts'
import { Database } from '../../src/db/pool/database.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { goBetween } from '../support/go-between.ts'
import { hold } from '../support/holding.ts'
import { until } from '../support/until.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)
const { newWorld } = await startServer({ url })

test('first requests of many organizations from one address, as through a load balancer, do not wait for one another', async (t) => {
  const worlds = await Promise.all(Array.from({ length: 12 }, () => newWorld()))
  const between = await goBetween(t, url)
  const patience = { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000, answerTimeoutMs: 90_000 }
  const db = new Database({ connection: { connectionString: between.url }, ...patience })
  const { api, newWorld: newBusyOne } = await startServer({ db, url: between.url })
  afterwards(t, () => db.close())
  const { owner: busy } = await newBusyOne()
  await api(newKey(newId()).secret).get('/me')
  const { release } = await hold(t, url, 'lock table api_keys in access exclusive mode')
  // an organization that is at work: while nobody is, nobody is limited
  const asked = [busy.get('/me')]
  const before = between.seen.statements
  asked.push(...worlds.map(({ owner }) => api(owner.key).get('/me')))
  const sent = () => between.seen.statements - before
  await until(() => sent() >= worlds.length, 'They wait for one another')
  await release()
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
})
