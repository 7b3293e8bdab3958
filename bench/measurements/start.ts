import { page } from '../requests.ts'
import { figureRow, type Row } from '../rows.ts'
import { median } from '../statistics.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Bench } from './bench.ts'

/**
 * From `taskwright serve` to its first page of tasks, on the data as they are; the embedded PostgreSQL is started with
 * it, so it must not run already.
 */
export async function start(
  { data, say }: Pick<Bench, 'data' | 'say'>,
  launch: () => Promise<Subject>,
): Promise<Row[]> {
  say('Starting the server five times')
  const ms: number[] = []
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    const subject = await launch()
    for (const { path, ...options } of page(data.big.callers.owner)) {
      const response = await fetch(subject.base + path, options)
      await response.text()
      if (!response.ok) throw new Error(`The first answer was ${response.status}`)
    }
    ms.push(performance.now() - began)
    await subject.stop()
  }
  const row = figureRow('start to first page', median(ms) / 1_000, ' s', { most: 1.5 })
  return [{ ...row, range: [Math.min(...ms), Math.max(...ms)].map((time) => (time / 1_000).toFixed(2)).join(' – ') }]
}
