import { spawnSync } from 'node:child_process'
import { autocannonRun } from './autocannon.ts'
import { wrkRun } from './wrk.ts'

/** What is sent, again and again. `{unique}` in a header or a body is replaced by something else each time. */
export interface Sent {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Volley {
  base: string
  /** sent one after the other, by all connections together or by each */
  requests: readonly Sent[]
  connections: number
  seconds: number
}

export interface Outcome {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** answers of another status than 2xx, and requests without an answer */
  failed: number
}

export interface Generator {
  name: string
  run(volley: Volley): Promise<Outcome>
}

const generators = { wrk: wrkRun, autocannon: autocannonRun } as const

/**
 * wrk where it is installed, else autocannon, which takes ten times the processor.
 * @throws Error when there is none of that name
 */
export function chooseGenerator(wanted = isInstalled('wrk') ? 'wrk' : 'autocannon'): Generator {
  if (wanted !== 'wrk' && wanted !== 'autocannon') throw new Error(`There is no generator ${wanted}`)
  return { name: wanted, run: generators[wanted] }
}

const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined
