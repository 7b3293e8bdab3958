import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Processor time that a process has used so far, in µs; undefined where there is no /proc. */
export function processorUs(pid: number | undefined): number | undefined {
  const stat = pid === undefined ? undefined : textOf(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // the name, in parentheses, may hold spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return ((user + system) * 1_000_000) / ticksPerSecond()
}

/** Memory that a process holds, in MB; undefined where there is no /proc. */
export function residentMb(pid: number | undefined): number | undefined {
  const status = pid === undefined ? undefined : textOf(`/proc/${pid}/status`)
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

let ticks: number | undefined

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ticks
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
