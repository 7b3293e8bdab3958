import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/envelope.ts'
import { onMigratedDatabase, outcome, serving } from '../support/slow/processes.ts'
import { until } from '../support/until.ts'
import { apiOf, operatorToken } from '../support/world.ts'

const founding = { name: 'Acme', owner: { name: 'Olivia', email: 'olivia@example.com' } }

test('operator tokens are created, listed and revoked while servers run, and every server follows', async (t) => {
  const settings = await onMigratedDatabase(t)
  const servers = [await serving(t, settings), await serving(t, { ...settings, OPERATOR_TOKEN: operatorToken })]
  const [first, second] = servers.map(({ base }) => base)
  const found = (base = '', token = '') => apiOf(`${base}/api/v1`, token).post('/organizations', founding)
  const metricsOf = async (base = '', headers = {}) => (await fetch(`${base}/metrics`, { headers })).status
  assertRefused(await found(first, 'anything'), 404)
  assertRefused(await found(second, 'anything'), 401)
  assert.equal(await metricsOf(first), 200)

  const made = await outcome(t, ['operator-token', 'new', '--name', 'Terraform'], settings)
  const [token = ''] = made.out
  assert.match(token, /^tw_operator_[\w-]{43}$/)
  const [, id = ''] = /token ([0-9a-f-]{36}),/.exec(made.err.join()) ?? []
  const headers = { authorization: `Bearer ${token}` }
  // who knows of no token lets everybody read metrics
  const knows = async (base = '') => (await metricsOf(base)) === 401 && (await metricsOf(base, headers)) === 200
  for (const base of [first, second]) await until(() => knows(base), `${base} does not follow`)
  for (const base of [first, second]) assert.equal((await found(base, token)).status, 201)
  assert.equal((await found(second, operatorToken)).status, 201, 'that of the setting works still')
  assertRefused(await found(first, operatorToken), 401)
  assert.equal(await metricsOf(first), 401)

  const listed = await outcome(t, ['operator-token', 'list'], settings)
  assert.match(listed.out.join('\n'), new RegExp(`^ID .*\n${id}  .*  Terraform$`))
  const asJson = await outcome(t, ['operator-token', 'list', '--json'], settings)
  assert.deepEqual(Object.keys(JSON.parse(asJson.out.join(''))), ['id', 'name', 'createdAt'])

  assert.deepEqual((await outcome(t, ['operator-token', 'revoke', id], settings)).out, [`Revoked ${id}.`])
  for (const base of [first, second]) while ((await found(base, token)).status === 201);
  assertRefused(await found(first, token), 404)
  assertRefused(await found(second, token), 401)
  assert.equal((await found(second, operatorToken)).status, 201)
  const again = await outcome(t, ['operator-token', 'revoke', id], settings)
  assert.deepEqual([again.code, again.err], [2, [`There is no operator token ${id}.`]])
})
