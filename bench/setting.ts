import { cpus } from 'node:os'
import type { Bench } from './measurements/bench.ts'

/** One line that says what was measured on what. */
export async function settingOf({ subjects, data, generator, pace }: Bench): Promise<string> {
  const all = cpus()
  const headers = { authorization: `Bearer ${data.big.callers.owner.key}` }
  const page = await (await fetch(`${subjects.taskwright.base}/api/v1/tasks`, { headers })).arrayBuffer()
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${all.length} × ${all[0]?.model.trim()}`,
    `by ${generator.name}: ${pace.rounds} rounds of ${pace.seconds} s, 32 connections`,
    `${data.tasks.toLocaleString('en-US')} tasks, ${data.big.tasks.toLocaleString('en-US')} in the big organization`,
    `a page of 50 of its tasks: ${(page.byteLength / 1_000).toFixed(1)} kB`,
  ].join('; ')
}
