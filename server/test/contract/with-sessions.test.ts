import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../support/world.ts'

// the promises about every operation again, by callers who are signed in with a browser
process.env.TEST_CALLERS = 'sessions'
await import('./tenancy.test.ts')
await import('./every-route.test.ts')
await import('../resources/who-may-write.test.ts')
await import('../operations/idempotency.test.ts')

const { newWorld } = await sharedServer()

test('the callers of these tests have sessions', async () => {
  const { owner, admin, member, join } = await newWorld()
  for (const one of [owner, admin, member, await join('Jo', 'member')])
    assert.equal((await one.get('/me')).body.via, 'session')
})
