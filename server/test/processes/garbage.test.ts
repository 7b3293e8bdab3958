import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { limitGarbage } from '../../src/processes/garbage.ts'

test('a process that creates and drops long texts soon holds little more memory than it needs for what it keeps', async () => {
  limitGarbage()
  const before = process.memoryUsage().heapUsed
  const text = () => Buffer.alloc(160_000, 'a').toString('latin1')
  const kept = Array.from({ length: 400 }, text)
  const keptBytes = kept.length * 160_000
  const lately: string[] = []
  let most = 0
  for (let n = 0; n < 6_000; n++) {
    lately[n % 64] = text()
    if (n % 16 > 0) continue
    most = Math.max(most, process.memoryUsage().heapUsed - before)
    await turn()
  }
  assert.ok(most < 3 * keptBytes, `${most} bytes, ${keptBytes} of them kept`)
})
