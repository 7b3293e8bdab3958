import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration } from '../../server/src/mcp/calls/times.ts'
import { shown } from '../src/output/cells.ts'

const inTw = (seconds: number) => shown('durationSeconds', seconds)

/** The seconds that a text says. */
const read = (text: string): number =>
  [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * ({ h: 3_600, m: 60, s: 1 }[unit] ?? 0),
    0,
  )

test('tw and the agent tools show a duration in the same way, to the second', () => {
  for (const [seconds, text] of [
    ...[[0, '0s'] as const, [45, '45s'] as const, [60, '1m'] as const, [5_400, '1h 30m'] as const],
    ...[
      [17_998, '4h 59m 58s'] as const,
      [18_000, '5h'] as const,
      [3_605, '1h 5s'] as const,
      [90_061, '25h 1m 1s'] as const,
    ],
  ]) {
    assert.equal(formatDuration(seconds), text)
    assert.equal(inTw(seconds), text)
  }
  let sum = 0
  const rows = Array.from({ length: 1_000 }, (_, i) => (i * 7_919) % 40_009)
  for (const seconds of rows) {
    assert.equal(inTw(seconds), formatDuration(seconds))
    sum += read(formatDuration(seconds))
  }
  // what is shown of the rows is what is shown of their sum
  assert.equal(sum, read(formatDuration(rows.reduce((one, other) => one + other, 0))))
})
