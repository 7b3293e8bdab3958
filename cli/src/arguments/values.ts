import { readFile } from 'node:fs/promises'
import type { Parameter } from '../operations/operation.ts'
import { WrongUse } from '../problems.ts'
import type { Input } from '../terminal.ts'
import { type DayZone, dayByWord, isDay, todayIn } from './days.ts'
import { momentOf } from './moments.ts'

/**
 * Converts typed text to the value for the API, except ids, which other code looks up.
 * @param flag as typed, for error messages
 */
export async function valueFor(parameter: Parameter, text: string, flag: string, zoneOf: DayZone): Promise<unknown> {
  const { type, nullable, words = [], name } = parameter
  if (nullable && text === 'null') return null
  if (words.includes(text)) return text
  switch (type) {
    case 'integer':
      return integerOf(name, text, flag)
    case 'boolean':
      return text === 'true'
    case 'date':
      // the server refuses any other text and says which ones it accepts
      return isDay(text) ? text : (dayByWord(text, todayIn(await zoneOf()), isAhead(name)) ?? text)
    case 'moment':
      return momentOf(text, flag, isAhead(name), zoneOf)
    case 'json':
      return jsonOf(text, flag)
    default:
      return text
  }
}

/** Whether a field is about the future: there, `friday` is the next one. */
const isAhead = (name: string) => /^(due|startDate|expires)/.test(name)

function integerOf(name: string, text: string, flag: string): number {
  if (/^-?\d+$/.test(text)) return Number(text)
  const seconds = name.endsWith('Seconds') ? secondsOf(text) : undefined
  if (seconds !== undefined) return seconds
  const hint = name.endsWith('Seconds') ? 'a duration such as 1h30m, or whole seconds' : 'a whole number'
  throw new WrongUse(`${flag} takes ${hint}.`)
}

/** Seconds of `1h30m`, `45m`, `1.5h`, `1:30`; undefined for any other text. */
function secondsOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d+):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 3_600 + Number(minutes) * 60
  if (!/^(\d+(\.\d+)?[dhms] ?)+$/.test(text)) return undefined
  const units: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([dhms]) ?/gy)]
  return Math.round(parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 0), 0))
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongUse(`${what} is not valid JSON: ${(error as Error).message}.`)
  }
}

/** The content of `@file`, of standard input for `-`, or the text itself. */
export async function textOf(given: string, input: Input): Promise<string> {
  if (given === '-') return input.text()
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrongUse(`Cannot read ${file} (${error.code}).`)
  })
}

/** The JSON of `--body`. */
export const bodyOf = async (given: string, input: Input): Promise<unknown> =>
  jsonOf(
    await textOf(given, input),
    given === '-' ? 'Standard input' : given.startsWith('@') ? given.slice(1) : '--body',
  )
