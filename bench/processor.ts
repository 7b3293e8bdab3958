import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Processor time that a process has used so far, in µs; undefined where there is no /proc. */
export function processorUs(pid: number | undefined): number | undefined {
  const known = statOf(pid)
  return known && inUs(known.ticks)
}

/** The same of a process with all that it started, those that have ended among them. */
export function treeProcessorUs(pid: number | undefined): number | undefined {
  const first = statOf(pid)
  if (first === undefined) return undefined
  let ticks = first.ticks + first.ticksOfEnded
  for (const name of readdirSync('/proc')) {
    const known = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (known?.parent === pid) ticks += known?.ticks ?? 0
  }
  return inUs(ticks)
}

/** The process that started another one, where both are of this program and on this machine. */
export function parentOf(pid: number, program: string): number | undefined {
  const known = statOf(pid)
  return known?.name === program && statOf(known.parent)?.name === program ? known.parent : undefined
}

interface Stat {
  name: string
  parent: number
  ticks: number
  /** of what it started, once that has ended */
  ticksOfEnded: number
}

function statOf(pid: number | undefined): Stat | undefined {
  const stat = pid === undefined ? undefined : textOf(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // the name, in parentheses, may hold spaces
  const [opens, closes] = [stat.indexOf('('), stat.lastIndexOf(')')]
  const fields = stat
    .slice(closes + 4)
    .split(' ')
    .map(Number)
  const [parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(10)
  return { name: stat.slice(opens + 1, closes), parent, ticks: user + system, ticksOfEnded: endedUser + endedSystem }
}

const inUs = (ticks: number) => (ticks * 1_000_000) / ticksPerSecond()

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
