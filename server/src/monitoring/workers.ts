import cluster from 'node:cluster'
import { on } from 'node:events'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { JobMetrics } from './jobs.ts'

/**
 * In the first process: sums the metrics of all workers when a worker asks for them.
 * @param own metrics of this process, which follow the sum
 */
export function aggregateMetrics(own: JobMetrics): void {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker, { sumWanted }: { sumWanted?: number }) => {
    if (sumWanted === undefined) return
    const answer = (sum: { text: string } | { problem: string }) => worker.send({ ...sum, sumWanted }, () => {})
    joinMetrics(all.clusterMetrics(), own).then(
      (text) => answer({ text }),
      (error) => answer({ problem: String(error) }),
    )
  })
}

/** In a worker: lets the first process read its metrics. */
export function shareMetrics(register: Registry): void {
  AggregatorRegistry.setRegistries(register)
  // its constructor begins to reply to the first process
  new AggregatorRegistry()
}

let asked = 0

/** In a worker: the sum over all workers. */
export async function sumOfAllWorkers(): Promise<string> {
  const sumWanted = ++asked
  const messages = on(process, 'message')
  process.send?.({ sumWanted })
  for await (const [message] of messages) {
    if (message.sumWanted !== sumWanted) continue
    if (message.problem !== undefined) throw new Error(message.problem)
    return message.text
  }
  throw new Error('The process that adds up is gone')
}

/** Joins the texts of both registries. */
export const joinMetrics = async (text: Promise<string>, beside: JobMetrics | undefined) =>
  `${await text}${beside ? await beside.text() : ''}`
