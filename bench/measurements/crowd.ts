import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { residentMb } from '../processor.ts'
import { page } from '../requests.ts'
import { figureRow, type Row } from '../rows.ts'
import type { Bench } from './bench.ts'

const connections = 2_000
const seconds = 10
// V8 gives memory back 15 to 35 s after the load that took it
const restSeconds = 60

/** 2,000 connections at once on the page: what they are answered, how late, and what is left of it in memory. */
export async function crowd({ subjects: { taskwright }, data, say }: Bench): Promise<Row[]> {
  say(`${connections} connections at once for ${seconds} s, then ${restSeconds} s of rest`)
  const before = residentMb(taskwright.pid)
  const { timesMs, bare, errors } = await asked(taskwright.base, page(data.big.callers.owner))
  await wait(restSeconds * 1_000)
  const after = residentMb(taskwright.pid)
  const statuses = [...timesMs].map(([status, times]) => `${times.length.toLocaleString('en-US')} × ${status}`)
  const wrong = [...timesMs].filter(([status]) => status !== 200 && status !== 503)
  const failures = wrong.reduce((sum, [, times]) => sum + times.length, errors + bare)
  const of503 = timesMs.get(503)
  const growth = before === undefined || after === undefined ? undefined : after / before
  return [
    {
      ...figureRow('2,000 connections: answers but 200, and 503 with Retry-After', failures, '', { most: 0 }),
      figures: statuses.join(', '),
    },
    figureRow('2,000 connections: p99 of the 200s', percentile(timesMs.get(200)), ' ms'),
    ...(of503 ? [figureRow('2,000 connections: p99 of the 503s', percentile(of503), ' ms', { most: 100 })] : []),
    {
      ...figureRow(`2,000 connections: memory ${restSeconds} s after / before`, growth, '', { most: 1.2 }),
      figures: `${after?.toFixed(0)} : ${before?.toFixed(0)} MB`,
    },
  ]
}

/** Always by autocannon: it tells the time of each answer by its status. */
async function asked(base: string, requests: ReturnType<typeof page>) {
  const timesMs = new Map<number, number[]>()
  let bare = 0
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      ...{ url: base, connections, duration: seconds, timeout: 30, requests: [...requests] },
      setupClient: (client) => {
        const heard: { on(event: 'headers', listener: (head: Head) => void): unknown } = client as never
        heard.on('headers', ({ statusCode, headers }) => {
          const names = headers.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase())
          if (statusCode === 503 && !names.includes('retry-after')) bare++
        })
      },
    }
    const instance = autocannon(options, (error, found) => (error ? reject(error) : resolve(found)))
    instance.on('response', (_, status, __, ms) => {
      const times = timesMs.get(status)
      if (times) times.push(ms)
      else timesMs.set(status, [ms])
    })
  })
  return { timesMs, bare, errors: result.errors + result.timeouts }
}

// what the types of autocannon leave out
interface Head {
  statusCode: number
  /** names and values in turn */
  headers: string[]
}

const percentile = (values: readonly number[] = []) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)]
