import { setTimeout as wait } from 'node:timers/promises'
import { openReaders } from '../readers.ts'
import { newEntry } from '../requests.ts'
import { type Case, measured } from '../rounds.ts'
import { figureRow, type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'

const readers = 1_000
const writes = 100

/** What streams of events cost the writes that they tell of, and how soon they tell of one. */
export async function streams(bench: Bench): Promise<Row[]> {
  return [...(await besideStreams(bench)), ...(await latency(bench))]
}

async function besideStreams(bench: Bench): Promise<Row[]> {
  const {
    subjects: { taskwright },
    data,
  } = bench
  const beside = (count: number): Case => ({
    ...{ subject: taskwright, requests: newEntry(data) },
    beside: () => openReaders(taskwright.base, data.writing.owner.key, count),
  })
  const family = { none: beside(0), one: beside(1), hundred: beside(100) }
  const found = await measured(family, bench)
  const row = (what: string, samples: typeof found.none) =>
    rates({ what: `POST with a key: ${what} / none`, samples, against: found.none, target: { least: 0.9 } })
  return [row('1 stream of all of it', found.one), row('100 streams of all of it', found.hundred)]
}

/** From the 201 of a write to the event of it at each of a thousand readers; one write at a time, ten in a second. */
async function latency({ subjects: { taskwright }, data, say }: Bench): Promise<Row[]> {
  say(`${writes} writes, and ${readers.toLocaleString('en-US')} streams that tell of them`)
  const opened = await openReaders(taskwright.base, data.writing.owner.key, readers)
  const ms: number[] = []
  for (const [n, { path, ...options }] of newEntry(data).slice(0, writes).entries()) {
    const arrivals: number[] = []
    const all = new Promise<void>((resolve) => {
      opened.onData((text) => {
        // each event has one line of data
        for (let i = text.split('\ndata: ').length; i > 1; i--) arrivals.push(performance.now())
        if (arrivals.length >= readers) resolve()
      })
    })
    const headers = { ...options.headers, 'Idempotency-Key': `latency-${crypto.randomUUID()}-${n}` }
    const response = await fetch(taskwright.base + path, { ...options, headers })
    const answeredMs = performance.now()
    if (response.status !== 201) throw new Error(`A write was answered with ${response.status}`)
    await Promise.race([all, wait(5_000)])
    for (let i = 0; i < readers; i++) ms.push(Math.max(0, (arrivals[i] ?? Number.POSITIVE_INFINITY) - answeredMs))
    await wait(100)
  }
  opened.close()
  const sorted = ms.toSorted((one, other) => one - other)
  const what = `from 201 to the reader, ${readers.toLocaleString('en-US')} streams open: `
  const part = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
  return [
    figureRow(`${what}p50`, part(0.5), ' ms', { most: 100 }),
    figureRow(`${what}p99`, part(0.99), ' ms', { most: 500 }),
  ]
}
