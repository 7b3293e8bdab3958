import type { ParsedArguments } from '../arguments/parse.ts'
import type { CommaNames, NameScope } from '../names/name-scope.ts'
import { uuid } from '../names/names.ts'
import { folded } from '../names/pick.ts'
import type { Kind, Parameter } from './operation.ts'
import { type ParameterValue, withinOf } from './parameter-value.ts'

/** Splits a text at its commas. */
export const splitAtCommas = (text: string) => text.split(',').map((part) => part.trim())

/** The sign before a name that is added to a list or removed from it. */
export const sign = /^\s*[+-]\s*/

// a project limits the lookup of workspaces, a workspace that of stages
const narrowing: Partial<Record<Kind, number>> = { workspace: 1, stage: 2 }

/**
 * Separates names at commas. A name can contain commas itself, so the longest parts that are a known name stay whole.
 * @param mayHaveSign whether the names of a list can have a leading `+` or `-`, which they keep
 */
export async function separateNames(
  typed: readonly ParameterValue[],
  given: ParsedArguments,
  commaNames: CommaNames,
  mayHaveSign: (parameter: Parameter) => boolean,
): Promise<ParameterValue[]> {
  const rank = ({ parameter: { of } }: ParameterValue) => (of && narrowing[of]) ?? 0
  const separate: ParameterValue[] = []
  for (const one of typed.toSorted((first, second) => rank(first) - rank(second))) {
    const { parameter, texts } = one
    if (!parameter.list || parameter.type !== 'id') {
      separate.push(one)
      continue
    }
    const within = withinOf(separate, given)
    const unsigned = (text: string) => (mayHaveSign(parameter) ? text.replace(sign, '') : text)
    const names = await Promise.all(texts.map((text) => namesIn(parameter, text, unsigned, within, commaNames)))
    separate.push({ ...one, texts: names.flat() })
  }
  return separate
}

/** The longest name, and the longest search text of a list. */
const longestName = 255

async function namesIn(
  { of, words }: Parameter,
  text: string,
  unsigned: (text: string) => string,
  within: NameScope,
  commaNames: CommaNames,
): Promise<string[]> {
  const parts = text.split(',')
  const isName = (part: string) => part !== '' && part.length <= longestName && !uuid.test(part)
  const beginnings = parts.map((part) => unsigned(part).trim())
  const hasName = beginnings.some((part) => isName(part) && !words?.includes(part))
  if (parts.length === 1 || of === undefined || of === 'task' || !hasName) return splitAtCommas(text)
  const begun: (readonly string[])[] = await Promise.all(
    beginnings.map((part) => (isName(part) ? commaNames(of, part, within) : [])),
  )
  const names: string[] = []
  for (let at = 0, end: number; at < parts.length; at = end) {
    const upTo = (end: number) => parts.slice(at, end).join()
    end = parts.length
    while (end > at + 1 && !begun[at]?.includes(folded(unsigned(upTo(end))))) end--
    names.push(upTo(end).trim())
  }
  return names
}
