import { spawnSync } from 'node:child_process'
import { autocannonRun } from './autocannon.ts'
import type { Outcome, Volley } from './volley.ts'
import { wrkRun } from './wrk.ts'

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
