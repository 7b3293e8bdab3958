import { readdirSync, readFileSync } from 'node:fs'
import { parentOf } from '../processor.ts'

/** What PostgreSQL holds of the machine. */
interface Taken {
  /** all its processes together; what they share is counted once */
  memoryMb: number
  /** what the process that holds most of its own holds of its own: the plans and the catalogue that it knows */
  fullestMb: number
  /** processes that serve clients */
  connections: number
}

/** What the processes of a PostgreSQL hold; undefined where it runs on another machine, or without /proc. */
export function takenBy(postmaster: number | undefined): Taken | undefined {
  if (postmaster === undefined) return undefined
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name), 'postgres') === postmaster)
    .map(Number)
  const held = [postmaster, ...children].flatMap((pid) => heldBy(pid) ?? [])
  if (held.length === 0) return undefined
  return {
    memoryMb: held.reduce((sum, { sharedMb }) => sum + sharedMb, 0),
    fullestMb: Math.max(...held.map(({ ownMb }) => ownMb)),
    connections: held.filter(({ servesClient }) => servesClient).length,
  }
}

function heldBy(pid: number) {
  const [text, named] = [textOf(`/proc/${pid}/smaps_rollup`), textOf(`/proc/${pid}/cmdline`)]
  if (text === undefined || named === undefined) return undefined
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1024
  return {
    sharedMb: mb('Pss'),
    ownMb: mb('Private_Dirty') + mb('Private_Clean'),
    servesClient: /^postgres: (?!.*(checkpointer|writer|launcher|worker|logger))/.test(named),
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
