import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration } from '../../server/src/mcp/calls/times.ts'
import { durationCell, durationText } from '../src/parts/format.ts'
import { clockIn, dayAfter, isDay, momentIn, weekOf } from '../src/parts/zone.ts'
import { estimateText, readEstimate } from '../src/views/task/estimate.ts'
import { placeIn } from '../src/views/timesheet/placing.ts'
import { readTime } from '../src/views/timesheet/typed-time.ts'

const minutes = (typed: string) => {
  const time = readTime(typed)
  return 'seconds' in time ? time.seconds / 60 : time
}

test('people can type a duration in hours and minutes as they write it', () => {
  const same: [number, string[]][] = [
    [
      90,
      [
        '1h30',
        '1:30',
        '1.5',
        '1,5',
        '90m',
        '1.5h',
        '1h 30m',
        '1 h 30 min',
        '90 minutes',
        ' 1H30 ',
        '01:30',
        '1.50',
        '١:٣٠',
        '۱٫۵',
      ],
    ],
    [60, ['1', '1h', '1.', '60m', '1 hour', '1:00']],
    [30, ['.5', '0:30', '30m', '0.5', '30 min']],
    [1_440, ['24', '24h', '24:00']],
  ]
  for (const [wanted, ways] of same) for (const typed of ways) assert.equal(minutes(typed), wanted, typed)
})

test('a duration is shown to the second, adds up, and can be typed as it is shown', () => {
  assert.deepEqual([0, 45, 5_400, 17_998, 90_061].map(durationText), ['0s', '45s', '1h 30m', '4h 59m 58s', '25h 1m 1s'])
  assert.deepEqual([0, 45, 5_400, 17_998, 86_400].map(durationCell), ['0:00', '0:00:45', '1:30', '4:59:58', '24:00'])
  const lengths = Array.from({ length: 500 }, (_, n) => ((n * 7_919) % 86_400) + 1)
  for (const seconds of lengths) {
    assert.equal(durationText(seconds), formatDuration(seconds))
    for (const shown of [durationText(seconds), durationCell(seconds)])
      assert.deepEqual(readTime(shown), { seconds }, shown)
    assert.equal(readEstimate(estimateText(seconds)), seconds)
  }
})

test('people can type start and end by the clock, also past midnight', () => {
  const spans: [string, number, number][] = [
    ['9-10:15', 540, 615],
    ['9:00-10:15', 540, 615],
    ['9 – 10.15', 540, 615],
    ['9h05-10', 545, 600],
    ['1pm-2:30pm', 780, 870],
    ['12am-12pm', 0, 720],
    ['22-2', 1_320, 1_560],
    ['0-24', 0, 1_440],
    ['23:30-0', 1_410, 1_440],
    ['9:00:30-10:15:45', 540.5, 615.75],
  ]
  for (const [typed, from, to] of spans) assert.deepEqual(readTime(typed), { from, to }, typed)
})

test('a text that is not a time is refused with its own message', () => {
  const refused: [RegExp, string[]][] = [
    [/Enter a start and an end/, ['9:00-', '-10', '9 –']],
    [/end is before the start/, ['17-9', '9-5', '9-9', '24-1']],
    [/time of day/, ['9-25', '9-10:60', 'a-b', '13pm-2pm', '0am-3']],
    [/more than zero/, ['0', '0:00', '0m', '0h0']],
    [/more than a day/, ['25', '90', '1441m', '24:01']],
    [/Enter a duration/, ['', 'soon', '1:60', '1h30h', '9-10-11', '1e3', '-', 'NaN', '½', '<b>']],
  ]
  for (const [sentence, ways] of refused) {
    for (const typed of ways) {
      const time = readTime(typed)
      assert.match(
        'problem' in time ? time.problem : JSON.stringify(time),
        typed === '-' ? /Enter a start and an end/ : sentence,
        typed,
      )
    }
  }
})

test('a time is found by the clocks of a zone, and gives its day and clock time back', () => {
  assert.equal(momentIn('Europe/Berlin', '2026-03-02', 540).toISOString(), '2026-03-02T08:00:00.000Z')
  assert.equal(momentIn('America/New_York', '2026-07-01', 0).toISOString(), '2026-07-01T04:00:00.000Z')
  assert.equal(momentIn('Asia/Kathmandu', '2026-07-01', 1_440).toISOString(), '2026-07-01T18:15:00.000Z')
  assert.equal(momentIn('Europe/Berlin', '2026-03-02', 540 + 7 / 60).toISOString(), '2026-03-02T08:00:07.000Z')
  // clocks go forward at 2:00, and back at 3:00; in Beirut at midnight
  assert.equal(momentIn('Europe/Berlin', '2026-03-29', 150).toISOString(), '2026-03-29T01:30:00.000Z')
  assert.equal(momentIn('Europe/Berlin', '2026-10-25', 150).toISOString(), '2026-10-25T00:30:00.000Z')
  assert.deepEqual(clockIn('Asia/Beirut', momentIn('Asia/Beirut', '2026-03-29', 0)), { day: '2026-03-29', minutes: 60 })
  for (const zone of ['UTC', 'Pacific/Apia', 'America/St_Johns', 'Asia/Tokyo', 'Africa/Cairo']) {
    for (const day of ['2026-01-31', '2026-06-30', '2028-02-29']) {
      assert.deepEqual(clockIn(zone, momentIn(zone, day, 605)), { day, minutes: 605 }, zone)
    }
  }
})

test('a week begins where the organization says', () => {
  const starts = ['monday', 'sunday', 'saturday'] as const
  assert.deepEqual(
    starts.map((start) => weekOf('2026-11-25', start)),
    ['2026-11-23', '2026-11-22', '2026-11-21'],
  )
  for (const start of starts) assert.equal(weekOf(weekOf('2026-11-25', start), start), weekOf('2026-11-25', start))
  assert.equal(dayAfter('2026-12-31', 1), '2027-01-01')
  assert.deepEqual(['2026-02-29', '2026-02-28', '26-2-28', 'today'].map(isDay), [false, true, false, false])
})

test('a duration alone goes after the last entry of the day, or into the last gap that is long enough, and never over another entry', () => {
  const day = { from: 0, to: 24 }
  assert.equal(placeIn(day, [], 2, 9), 9)
  assert.equal(placeIn(day, [{ from: 9, to: 11 }], 2, 9), 11)
  assert.equal(placeIn(day, [{ from: 20, to: 23 }], 2, 9), 18)
  assert.equal(
    placeIn(
      day,
      [
        { from: 10, to: 12 },
        { from: 20, to: Number.POSITIVE_INFINITY },
      ],
      2,
      9,
    ),
    18,
  )
  assert.equal(placeIn(day, [{ from: -3, to: 10 }], 2, 9), 10)
  assert.equal(placeIn(day, [{ from: -3, to: 23 }], 2, 9), undefined)
  assert.equal(placeIn(day, [{ from: 30, to: 40 }], 24, 9), 0)
  assert.equal(
    placeIn(
      day,
      [
        { from: 1, to: 5 },
        { from: 2, to: 3 },
      ],
      1,
      9,
    ),
    5,
  )
})
