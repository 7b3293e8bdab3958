import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Authenticator } from '../../src/access/auth.ts'
import { Database } from '../../src/db/pool/database.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { goBetween } from '../support/go-between.ts'
import { hold } from '../support/holding.ts'
import { inTime } from '../support/until.ts'
import { created, migratedDatabase, operatorToken, type Reply, startServer } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)
const { newWorld } = await startServer({ url })

test('a server that misses a revocation or a role change trusts the key for one second after the response, and no longer', async (t) => {
  const between = await goBetween(t, url)
  between.interfere((text) => (text.startsWith('listen "taskwright_access') ? 'lose' : undefined))
  const deaf = await startServer({ url: between.url })
  assert.equal(between.seen.lost, 1)
  const { owner, admin } = await newWorld()
  const key = await created(owner.post('/api-keys', { name: 'A key' }))
  const [holder, demoted] = [deaf.api(key.secret), deaf.api(admin.key)]
  const status = async () => (await holder.get('/me')).status
  await believedForASecond(status, () => owner.delete(`/api-keys/${key.id}`), [200, 401])
  const keysSeen = async () => (await demoted.get('/api-keys')).body.total
  await believedForASecond(keysSeen, () => owner.patch(`/members/${admin.memberId}`, { role: 'member' }), [4, 1])
})

async function believedForASecond(
  ask: () => Promise<number>,
  change: () => Promise<Reply>,
  [before, after]: [number, number],
) {
  assert.equal(await ask(), before)
  assert.ok((await change()).status < 300)
  const changedMs = performance.now()
  for (;;) {
    const askedMs = performance.now()
    const said = await ask()
    if (said === after) return
    assert.equal(said, before)
    assert.ok(askedMs - changedMs <= 1_000, 'It is believed for longer than a second')
  }
}

test('a change in one organization does not keep the keys of others from being cached, and keeps its own', async (t) => {
  const [one, other] = [await newWorld(), await newWorld()]
  const db = new Database({
    connection: { connectionString: url },
    lockTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
    answerTimeoutMs: 60_000,
  })
  afterwards(t, () => db.close())
  const authenticator = new Authenticator(db, operatorToken, () => {})
  const { api } = await startServer({ url, db, authenticator })
  const ask = () => api(one.owner.key).get('/tags')
  // what is believed does not grow old meanwhile
  const stoppedMs = performance.now()
  t.mock.method(performance, 'now', () => stoppedMs)

  /** Whether it is answered while keys cannot be read. */
  const isRemembered = async () => {
    const { release, waiters } = await hold(t, url, 'lock table api_keys in access exclusive mode')
    const asked = ask()
    const first = await inTime(Promise.race([asked, waiters(1)]), 'It is neither answered nor does it wait')
    await release()
    assert.equal((await asked).status, 200)
    return 'status' in first
  }
  /** Something changes in an organization while a key is looked up. */
  const changesDuring = async (orgId: string) => {
    authenticator.invalidate(one.orgId)
    const { release, waiters } = await hold(t, url, 'lock table api_keys in access exclusive mode')
    const asked = ask()
    await waiters(1)
    authenticator.invalidate(orgId)
    await release()
    assert.equal((await asked).status, 200)
  }
  await changesDuring(other.orgId)
  assert.ok(await isRemembered())
  await changesDuring(one.orgId)
  assert.ok(!(await isRemembered()))
})
