import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Database } from '../../src/db/database.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)

test('a table that is locked keeps nobody from what does not use it, however many organizations ask for it', async (t) => {
  const db = new Database({ connection: { connectionString: url } })
  afterwards(t, () => db.close())
  const { newWorld } = await startServer({ db, url })
  const worlds = await Promise.all(Array.from({ length: 60 }, newWorld))
  const { owner } = await newWorld()
  const { release, waiters } = await hold(t, url, 'lock table tasks in access exclusive mode')
  const paths = ['/tasks', `/tasks/${randomUUID()}`]
  const stuck = worlds.flatMap(({ owner }) => paths.map((path) => owner.get(path)))
  await waiters(2)
  assert.equal((await owner.get('/me')).status, 200)
  assert.equal((await owner.get('/tags')).status, 200)
  assert.equal((await owner.get(`/tags/${randomUUID()}`)).status, 404)
  await release()
  await Promise.all(stuck)
})
