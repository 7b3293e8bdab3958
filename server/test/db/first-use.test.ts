import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/db/pool/database.ts'
import { afterwards } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { untilTaken } from '../support/until.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

for (const limit of ['lockTimeoutMs', 'statementTimeoutMs'] as const) {
  test(`a table that is locked when a connection first sends its statements costs 503, never 500 (${limit})`, async (t) => {
    const others = { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 }
    const { url, drop } = await migratedDatabase()
    afterwards(t, drop)
    const { owner, tag } = await (await startServer({ url })).newWorld()
    const { id } = await tag()
    const db = new Database({
      connection: { connectionString: url },
      poolSize: 6,
      waitTimeoutMs: 60_000,
      ...others,
      [limit]: 200,
    })
    const api = (await startServer({ url, db })).api(owner.key)
    afterwards(t, () => db.close())
    for (let round = 0; round < 2; round++) {
      const { release } = await hold(t, url, 'lock table tags in access exclusive mode')
      const asked = Array.from({ length: 30 }, (_, n) =>
        n % 3 === 0
          ? api.get('/tags')
          : n % 3 === 1
            ? api.get(`/tags/${id}`)
            : api.patch(`/tags/${id}`, { color: '#ffffff' }),
      )
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      await release()
      assert.deepEqual(
        statuses.filter((status) => status !== 200 && status !== 503),
        [],
      )
    }
    assert.equal((await untilTaken(() => api.get(`/tags/${id}`))).status, 200)
  })
}
