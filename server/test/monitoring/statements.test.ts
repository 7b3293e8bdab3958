import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { statementMetrics } from '../../src/monitoring/statements.ts'

const counted = async (register: Registry, name: string) =>
  Number(new RegExp(`^${name} (.+)$`, 'm').exec(await register.metrics())?.[1])

test('a statement is unusual when it takes twenty times its usual time, and a lasting change becomes usual', async () => {
  const register = new Registry()
  const watch = statementMetrics(register).of('tasks.list')
  const beyond = () => counted(register, 'database_statements_beyond_usual_total\\{operation="tasks.list"\\}')
  const run = (name: string, ms: number, times: number) => {
    for (let n = 0; n < times; n++) watch.answered({ name, text: '' }, ms, 1)
  }
  // while nothing is known of it nothing is beyond
  run('s1', 500, 20)
  run('s2', 2, 100)
  assert.equal(await beyond(), 0)
  run('s2', 30, 5)
  // far beyond, but nobody notices
  run('s2', 90, 1)
  assert.equal(await beyond(), 0)
  run('s2', 400, 5)
  assert.equal(await beyond(), 5)
  run('s2', 400, 2_000)
  const settled = await beyond()
  run('s2', 400, 100)
  assert.equal(await beyond(), settled)
})

test('buckets add up, and operations above the maximum are counted together', async () => {
  const register = new Registry()
  const metrics = statementMetrics(register)
  for (const ms of [0.5, 5, 5, 60_000]) metrics.of('one').answered({ text: '' }, ms, 2)
  for (let n = 0; n < 1_000; n++) metrics.of(`invented ${n}`).answered({ text: '' }, 1, 1)
  const bucket = (le: string) =>
    counted(register, `database_statement_duration_seconds_bucket\\{le="${le}",operation="one"\\}`)
  assert.deepEqual(
    await Promise.all(['0.001', '0.0025', '0.01', '10', '+Inf'].map((le) => bucket(le.replace(/[.+]/, '\\$&')))),
    [1, 1, 3, 3, 4],
  )
  assert.equal(await counted(register, 'database_statement_rows_total\\{operation="one"\\}'), 8)
  assert.equal(await counted(register, 'database_statement_rows_total\\{operation="others"\\}'), 501)
})
