import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayIn, iso, monthOf, weekOf, zones } from '../../../support/calendar.ts'
import { rounds } from '../../../support/rounds.ts'
import { startServer } from '../../../support/world.ts'

const { newWorld } = await startServer()

/** An organization with one task, in a time zone. */
async function setUp(settings: object) {
  const world = await newWorld()
  const { owner } = world
  assert.equal((await owner.patch('/organization', settings)).status, 200)
  const { id: taskId } = await world.task({ projectId: (await world.project()).id })
  const log = (startedAt: string, endedAt: string) =>
    world.timeEntry({ taskId, startedAt, endedAt, durationSeconds: undefined })
  const seconds = async (groupBy: string): Promise<[string, number][]> => {
    const { body } = await owner.get(`/reports/time?groupBy=${groupBy}`)
    return body.data.map((row: Row) => [row.group[groupBy]?.id, row.seconds])
  }
  return { ...world, taskId, log, seconds }
}

interface Row {
  group: Record<string, { id: string | null }>
  seconds: number
  billableSeconds: number
  entries: number
}

test('the days on which clocks change have 23 and 25 hours, exact to the second', async () => {
  const days = [
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  ] as const
  for (const [timezone, day, first, hours] of days) {
    const { log, seconds } = await setUp({ timezone })
    const at = (ms: number) => new Date(Date.parse(first) + ms).toISOString()
    const end = hours * 3_600_000
    for (let hour = 0; hour < hours; hour++) await log(at(hour * 3_600_000), at((hour + 1) * 3_600_000))
    await log(at(-1), at(999))
    await log(at(end), at(end + 7_000))
    const [before, itself, after] = await seconds('day')
    assert.deepEqual([before?.[1], itself, after?.[1]], [1, [day, hours * 3_600], 7], `${day} in ${timezone}`)
  }
})

test("an entry belongs to the day, week and month in which it began, in the organization's time zone", async () => {
  const { log, seconds } = await setUp({ timezone: 'Pacific/Auckland' })
  await log('2026-05-31T11:30:00Z', '2026-05-31T13:30:00Z')
  assert.deepEqual(await seconds('day'), [['2026-05-31', 7_200]])
  assert.deepEqual(await seconds('week'), [['2026-05-25', 7_200]])
  assert.deepEqual(await seconds('month'), [['2026-05', 7_200]])
})

test('weeks begin on the day that the organization chose', async () => {
  // 2026-03-07 is a Saturday
  const expected = {
    monday: [
      ['2026-03-02', 3],
      ['2026-03-09', 1],
    ],
    sunday: [
      ['2026-03-01', 2],
      ['2026-03-08', 2],
    ],
    saturday: [
      ['2026-02-28', 1],
      ['2026-03-07', 3],
    ],
  }
  for (const [weekStart, weeks] of Object.entries(expected)) {
    const { log, seconds } = await setUp({ weekStart })
    for (const day of ['06', '07', '08', '09']) await log(`2026-03-${day}T12:00:00Z`, `2026-03-${day}T12:00:01Z`)
    assert.deepEqual(await seconds('week'), weeks, weekStart)
  }
})

test('a clock that was set back past midnight is followed to the minute', async () => {
  const { log, seconds } = await setUp({ timezone: 'America/St_Johns' })
  await log('2010-11-07T02:30:30Z', '2010-11-07T02:30:31Z')
  await log('2010-11-07T02:35:00Z', '2010-11-07T02:35:02Z')
  assert.deepEqual(await seconds('day'), [
    ['2010-11-06', 2],
    ['2010-11-07', 1],
  ])
})

test('the database knows every time zone that an organization can have', async () => {
  const { owner } = await newWorld()
  const others = [
    'UTC',
    'GMT',
    'SystemV/PST8',
    'Etc/GMT+5',
    'US/Pacific-New',
    'Canada/East-Saskatchewan',
    'europe/berlin',
  ]
  const everyFew = rounds(20, 1)
  const usual = Intl.supportedValuesOf('timeZone').filter((_, n) => n % everyFew === 0)
  for (const timezone of [...usual, ...others]) {
    const { status } = await owner.patch('/organization', { timezone, settings: { timeLockedBefore: '2020-01-01' } })
    if (status === 422) continue
    assert.equal((await owner.get('/reports/time?groupBy=day')).status, 200, timezone)
    assert.equal((await owner.post('/time-entries', { taskId: owner.memberId })).status, 404, timezone)
  }
})

test('a short name that the database takes for an offset without summer time, or does not know, gets 422', async () => {
  const { owner } = await newWorld()
  for (const timezone of ['CET', 'EET', 'EST', 'PST', 'IST', 'BST', 'ACT', 'VST', 'EST5EDT', 'US/Pacific-New'])
    assert.equal((await owner.patch('/organization', { timezone })).status, 422, timezone)
  for (const timezone of ['UTC', 'GMT', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    assert.equal((await owner.patch('/organization', { timezone })).status, 200, timezone)
})

const second = (iso: string) => Date.parse(iso) / 1_000
const moment = fc.oneof(
  fc.integer({ min: second('2000-01-01T00:00:00Z'), max: second('2025-01-01T00:00:00Z') }),
  // around the changes of the clocks in Europe and North America, and around New Year
  fc.integer({ min: second('2024-03-30T20:00:00Z'), max: second('2024-04-01T04:00:00Z') }),
  fc.integer({ min: second('2024-11-02T20:00:00Z'), max: second('2024-11-04T06:00:00Z') }),
  fc.integer({ min: second('2023-12-31T06:00:00Z'), max: second('2024-01-01T16:00:00Z') }),
)
const entry = fc.record({
  start: moment,
  ms: fc.integer({ min: 0, max: 100_000_000 }),
  billable: fc.boolean(),
  mine: fc.boolean(),
  onStep: fc.boolean(),
  tags: fc.subarray([0, 1, 2]),
})
type Drawn = typeof entry extends fc.Arbitrary<infer Value> ? Value : never

test('reports sum up any entries, in any time zone, by any groupings as a simple model does', async () => {
  const world = await newWorld()
  const { owner, admin } = world
  const tags = [await world.tag(), await world.tag(), await world.tag()].map(({ id }) => String(id))
  const { id: typeId } = await world.taskType()
  const dimensions = ['project', 'member', 'task', 'type', 'tag', 'billable', 'day', 'week', 'month'] as const
  const property = fc.asyncProperty(
    fc.array(entry, { minLength: 1, maxLength: 12 }),
    fc.constantFrom(...zones),
    fc.constantFrom('monday', 'sunday', 'saturday'),
    fc.subarray([...dimensions], { minLength: 1, maxLength: 3 }),
    async (entries, timezone, weekStart, groupBy) => {
      assert.equal((await owner.patch('/organization', { timezone, weekStart })).status, 200)
      const { id: projectId } = await world.project()
      const task = await world.task({ projectId, typeId })
      const step = await world.subtask(task.id)
      const other = await world.task({ projectId })
      const bodyOf = ({ start, ms, billable, mine, onStep, tags: chosen }: Drawn) => ({
        ...(onStep ? { subtaskId: step.id } : { taskId: other.id }),
        ...{ memberId: mine ? owner.memberId : admin.memberId, billable, tagIds: chosen.map((i) => tags[i]) },
        startedAt: new Date(start * 1_000).toISOString(),
        endedAt: new Date(start * 1_000 + ms).toISOString(),
      })
      const operations = entries.map((drawn) => ({ method: 'POST', path: '/time-entries', body: bodyOf(drawn) }))
      assert.equal((await owner.post('/bulk', { operations })).status, 200)

      const keysOf = (drawn: Drawn): Record<(typeof dimensions)[number], (string | null)[]> => {
        const day = dayIn(timezone, drawn.start * 1_000)
        return {
          project: [projectId],
          member: [drawn.mine ? owner.memberId : admin.memberId],
          task: [drawn.onStep ? task.id : other.id],
          type: [drawn.onStep ? typeId : null],
          tag: drawn.tags.length === 0 ? [null] : drawn.tags.map((i) => tags[i] ?? null),
          billable: [String(drawn.billable)],
          day: [iso(day)],
          week: [weekOf(day, weekStart)],
          month: [monthOf(day)],
        }
      }
      const zero = { seconds: 0, billableSeconds: 0, entries: 0 }
      const expected = new Map<string, typeof zero>()
      // each entry counts as its durationSeconds says
      const add = (sum: typeof zero, { ms, billable }: Drawn) => ({
        seconds: sum.seconds + Math.floor(ms / 1_000),
        billableSeconds: sum.billableSeconds + (billable ? Math.floor(ms / 1_000) : 0),
        entries: sum.entries + 1,
      })
      for (const drawn of entries) {
        const keys = groupBy.map((name) => keysOf(drawn)[name])
        const combinations = keys.reduce<(string | null)[][]>(
          (all, some) => all.flatMap((head) => some.map((key) => [...head, key])),
          [[]],
        )
        for (const key of combinations.map((parts) => JSON.stringify(parts)))
          expected.set(key, add(expected.get(key) ?? zero, drawn))
      }
      const { body } = await owner.get(`/reports/time?groupBy=${groupBy}&projectId=${projectId}`)
      const actual = body.data.map(({ group, ...sums }: Row) => [
        JSON.stringify(groupBy.map((name) => group[name]?.id)),
        sums,
      ])
      assert.deepEqual(Object.fromEntries(actual), Object.fromEntries([...expected].map(([key, sum]) => [key, sum])))
      assert.equal(actual.length, expected.size)
      assert.deepEqual(body.totals, entries.reduce(add, zero))
    },
  )
  await fc.assert(property, { numRuns: rounds(10, 100) })
})

test('an entry of long ago and one of far ahead are counted on their days', async () => {
  const { log, seconds } = await setUp({ timezone: 'Europe/Berlin' })
  for (const day of ['1970-01-02', '2026-01-15', '2026-03-15', '2099-12-30'])
    await log(`${day}T09:00:00Z`, `${day}T10:00:00Z`)
  assert.deepEqual(await seconds('month'), [
    ['1970-01', 3_600],
    ['2026-01', 3_600],
    ['2026-03', 3_600],
    ['2099-12', 3_600],
  ])
})
