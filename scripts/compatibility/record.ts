import { createHash } from 'node:crypto'
import type { Promises } from './promises.ts'

/** The promises as a file, one entry per line. A repeated part is stored once, under the start of its hash. */
export function recorded(promises: Promises): string {
  const counts = new Map<string, number>()
  count(promises, counts)
  const shared = new Map<string, unknown>()
  const { version, ...parts } = promises
  const sections = Object.entries(parts).map(([part, entries]) => {
    const lines = Object.entries(entries).map(([name, entry]) => line(name, short(entry, counts, shared)))
    return `${JSON.stringify(part)}: {\n${lines.join(',\n')}\n}`
  })
  const again = [...shared].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, value]) => line(name, value))
  return `{\n"version": ${JSON.stringify(version)},\n${sections.join(',\n')},\n"shared": {\n${again.join(',\n')}\n}\n}\n`
}

/** Reads the promises of such a file. */
export function promisesIn(record: string): Promises {
  const { shared, ...promises } = JSON.parse(record)
  return long(promises, shared) as Promises
}

const line = (name: string, value: unknown) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`

/** The length of a reference: sharing shorter parts saves nothing. */
const worthSharing = 40

function count(value: unknown, counts: Map<string, number>): void {
  if (typeof value !== 'object' || value === null) return
  const written = JSON.stringify(value)
  const times = counts.get(written) ?? 0
  counts.set(written, times + 1)
  if (times === 0) for (const part of Object.values(value)) count(part, counts)
}

function short(value: unknown, counts: Map<string, number>, shared: Map<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const written = JSON.stringify(value)
  const parts = () =>
    Array.isArray(value)
      ? value.map((part) => short(part, counts, shared))
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, short(part, counts, shared)]))
  if (written.length < worthSharing || (counts.get(written) ?? 0) < 2) return parts()
  const name = createHash('sha256').update(written).digest('hex').slice(0, 8)
  if (!shared.has(name)) shared.set(name, parts())
  return { '=': name }
}

function long(value: unknown, shared: Record<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => long(part, shared))
  if ('=' in value) return long(shared[String(value['='])], shared)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, long(part, shared)]))
}
