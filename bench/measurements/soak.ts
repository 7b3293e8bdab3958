import { setTimeout as wait } from 'node:timers/promises'
import { residentMb } from '../processor.ts'
import { mixture } from '../requests.ts'
import { figureRow, type Row } from '../rows.ts'
import { slope } from '../statistics.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Bench } from './bench.ts'

/** Minutes of mixed load on a server that was just started: whether its memory grows, and how much it takes. */
export async function soak(
  { data, generator, say }: Pick<Bench, 'data' | 'generator' | 'say'>,
  fresh: Subject,
  minutes: number,
): Promise<Row[]> {
  say(`Mixed load for ${minutes} minutes …`)
  const points: { x: number; y: number }[] = []
  const began = Date.now()
  const requests = mixture(data)
  const running = generator.run({ base: fresh.base, requests, connections: 32, seconds: Math.round(minutes * 60) })
  const ended = running.then(() => true)
  for (let over = false; !over; over = await Promise.race([ended, wait(1_000, false)])) {
    points.push({ x: (Date.now() - began) / 60_000, y: residentMb(fresh.pid) ?? Number.NaN })
  }
  const { failed, requests: count } = await running
  const peak = Math.max(...points.map(({ y }) => y))
  const growth = slope(points.filter(({ x }) => x > minutes / 2))
  const what = `${minutes} minutes of mixed load: `
  return [
    { ...figureRow(`${what}failures`, failed, '', { most: 0 }), figures: `${count.toLocaleString('en-US')} requests` },
    figureRow(`${what}growth of memory in the second half`, growth, ' MB/min'),
    figureRow(`${what}most memory`, peak, ' MB', { most: 200 }),
  ]
}
