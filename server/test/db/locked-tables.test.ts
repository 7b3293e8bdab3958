import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Authenticator } from '../../src/access/auth.ts'
import { Database } from '../../src/db/database.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { until, untilTaken } from '../support/until.ts'
import { type Api, created, migratedDatabase, startServer, type World } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)

test('a table that is locked keeps nobody from what does not use it for as long as it is, however many organizations ask for it again and again', async (t) => {
  const db = new Database({ connection: { connectionString: url } })
  afterwards(t, () => db.close())
  const { newWorld } = await startServer({ db, url })
  const worlds = await Promise.all(Array.from({ length: 60 }, newWorld))
  const { owner } = await newWorld()
  const { release, waiters } = await hold(t, url, 'lock table tasks in access exclusive mode')
  const paths = ['/tasks', `/tasks/${randomUUID()}`]
  let [going, refused] = [true, 0]
  const reading = worlds.flatMap(({ owner }) =>
    paths.map(async (path) => {
      for (; going; refused++) {
        const { status } = await owner.get(path)
        assert.ok(status === 503 || !going, `${status}`)
      }
    }),
  )
  const others = async () => {
    assert.equal((await owner.get('/me')).status, 200)
    assert.equal((await owner.get('/tags')).status, 200)
    assert.equal((await owner.get(`/tags/${randomUUID()}`)).status, 404)
  }
  await waiters(2)
  await others()
  await until(() => refused >= reading.length, 'They are not refused')
  for (let n = 0; n < 10; n++) await others()
  going = false
  await release()
  await Promise.all(reading)
})

test('a key that was never seen is looked up while single tasks wait for a table that is locked', async (t) => {
  // nothing that waits for the table is answered before it is released
  const limits = { lockTimeoutMs: 15_000, statementTimeoutMs: 60_000, waitTimeoutMs: 60_000 }
  const db = new Database({ connection: { connectionString: url }, ...limits })
  afterwards(t, () => db.close())
  const authenticator = new Authenticator(db, undefined, () => {})
  const { api, newWorld } = await startServer({ db, url, authenticator })
  const worlds = await Promise.all(Array.from({ length: 8 }, newWorld))
  const { owner } = await newWorld()
  const fresh = await Promise.all(
    [owner, ...worlds.map((world) => world.owner)].map(async (creator) => {
      const { secret } = await created(creator.post('/api-keys', { name: 'Fresh', memberId: creator.memberId }))
      return api(secret)
    }),
  )
  const { release, waiters } = await hold(t, url, 'lock table tasks in access exclusive mode')
  const stuck = worlds.flatMap(({ owner }) => Array.from({ length: 8 }, () => owner.get(`/tasks/${randomUUID()}`)))
  let answered = 0
  for (const one of stuck) void one.then(() => answered++)
  await waiters(db.pools.find(({ kind }) => kind === 'look-ups')?.most ?? 0)
  for (const one of fresh) {
    assert.equal((await one.get('/me')).status, 200)
    assert.equal((await one.get('/tags')).status, 200)
  }
  assert.equal(answered, 0)
  await release()
  for (const { status } of await Promise.all(stuck)) assert.equal(status, 404)
})

test('writes that wait for a table that is locked keep no write from what does not use it, however many organizations send them', async (t) => {
  // three fifths of what they are, as they stand to each other
  const lockTimeoutMs = 1_800
  const db = new Database({ connection: { connectionString: url }, lockTimeoutMs, waitTimeoutMs: 3_000 })
  afterwards(t, () => db.close())
  const { api } = await startServer({ db, url })
  const known = async ({ owner }: World) => {
    const one = api(owner.key)
    assert.equal((await untilTaken(() => one.get('/me'))).status, 200)
    return one
  }
  // what it begins with is made by a server that has patience
  const { newWorld } = await startServer({ url })
  const tasks = await Promise.all(Array.from({ length: 40 }, () => taskIn(newWorld, known)))
  const owner = await known(await newWorld())
  const { release } = await hold(t, url, 'lock table tasks in exclusive mode')
  let [going, refused] = [true, 0]
  const patching = tasks.map(async ({ owner, path }) => {
    for (let n = 0; going; n++) {
      const { status } = await owner.patch(path, { name: `Name ${n}` })
      assert.ok(status === 503 || !going, `${status}`)
      refused++
    }
  })
  await until(() => refused >= tasks.length, 'They are not refused')
  const beganMs = performance.now()
  for (let n = 0; n < 10; n++) assert.equal((await owner.post('/tags', { name: `Tag ${n}` })).status, 201)
  assert.ok(performance.now() - beganMs < (10 * lockTimeoutMs) / 2)
  going = false
  await release()
  await Promise.all(patching)
  for (const { owner, path } of tasks) assert.equal((await owner.patch(path, { name: 'Passes' })).status, 200)
})

async function taskIn(newWorld: () => Promise<World>, known: (world: World) => Promise<Api>) {
  const world = await newWorld()
  const { id } = await world.task({ projectId: (await world.project()).id })
  return { owner: await known(world), path: `/tasks/${id}` }
}
