import { readFileSync } from 'node:fs'
import type { Caller, Data } from '../load/data.ts'

/** Who has which key, as `Authorization` carries it: read once, never checked again. */
export function callersIn(file: string): Map<string, Caller> {
  const { big, ordinary, writing, tagged } = JSON.parse(readFileSync(file, 'utf8')) as Data
  const callers = [...Object.values(big.callers), ordinary.owner, writing.owner, tagged.owner]
  return new Map(callers.map((caller) => [`Bearer ${caller.key}`, caller]))
}
