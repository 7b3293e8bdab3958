import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newOperatorToken } from '../../src/access/operator-tokens.ts'
import { newId } from '../../src/db/ids.ts'
import { sql } from '../../src/db/sql.ts'
import { hold } from '../support/holding.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// of its own: an operator token opens every organization
const { url, drop } = await migratedDatabase()
const { db, api, newWorld } = await startServer({ url })
after(drop)

for (const [what, query] of [
  ['write is done', ''],
  ['dry run gets a response', '?dryRun=true'],
] as const) {
  test(`no ${what} with an operator token that is revoked while it waits: 401`, async (t) => {
    const { orgId, owner } = await newWorld()
    const { name } = (await owner.get('/organization')).body
    assert.equal((await owner.delete(`/organization?name=${encodeURIComponent(name)}`)).status, 204)
    const { secret, stored } = newOperatorToken({ id: newId(), name: 'Lost', createdAt: new Date().toISOString() })
    await db.rows(sql`update instance set operator_tokens = ${JSON.stringify([stored])}::json`)
    // a second at most until it is known
    while ((await api(secret).post('/organizations', {})).status === 401);
    const held = await hold(t, url, 'select 1 from organizations where org_id = $1 for update', [orgId])
    const waiting = api(secret).post(`/organizations/${orgId}/restore${query}`)
    await held.waiters(1)
    await db.rows(sql`update instance set operator_tokens = '[]'`)
    await held.release()
    assert.equal((await waiting).status, 401)
    assert.equal((await owner.get('/me')).status, 401)
  })
}
