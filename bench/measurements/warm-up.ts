import { mixture } from '../requests.ts'
import type { Bench } from './bench.ts'

const enough = 5_000

/** Lets each server run before anything is measured: compiled, connected, its pages in memory. */
export async function warmUp({ subjects, few, data, generator, say }: Bench, mostSeconds: number): Promise<void> {
  say('Warming up')
  const servers = Object.values(subjects).map((subject) => ({ subject, requests: mixture(data) }))
  if (few) servers.push({ subject: few.taskwright, requests: mixture(few.data) })
  for (const { subject, requests } of servers) {
    let answered = 0
    for (let second = 0; second < mostSeconds && answered < enough; second++) {
      answered += (await generator.run({ base: subject.base, requests, connections: 32, seconds: 1 })).requests
    }
  }
}
