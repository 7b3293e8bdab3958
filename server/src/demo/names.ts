import { at, type Random, sumsOf } from './random.ts'
import { type Discipline, disciplines } from './words/disciplines.ts'
import type { ProjectKind } from './words/kind.ts'

/** Gives one name after the other, with the discipline of the work. */
export type Names = () => { name: string; discipline: Discipline }

/**
 * Walks through all names that a kind's patterns and words allow, in wide steps: no name comes again before each has come
 * once, and neighbours do not look alike.
 */
export function namesOf({ patterns, words }: ProjectKind, random: Random): Names {
  const all = disciplines.flatMap((discipline) =>
    (patterns[discipline] ?? []).map((pattern) => ({ discipline, parts: partsOf(pattern, words) })),
  )
  const sums = sumsOf(all.map(({ parts }) => parts.reduce((product, { choices }) => product * choices.length, 1)))
  const count = sums.at(-1) ?? 0
  const step = strideThrough(count)
  let place = random.between(0, count - 1)
  return () => {
    place = (place + step) % count
    const index = sums.findIndex((sum) => sum > place)
    const { discipline, parts } = at(all, index)
    let rest = place - (sums[index - 1] ?? 0)
    const name = parts.map(({ choices }) => {
      const choice = at(choices, rest % choices.length)
      rest = Math.floor(rest / choices.length)
      return choice
    })
    return { name: name.join(''), discipline }
  }
}

/** A pattern as a row of choices; what stands between its holes is a choice of one. */
function partsOf(pattern: string, words: ProjectKind['words']) {
  return pattern.split(/[{}]/).map((part, index) => {
    const choices = index % 2 === 0 ? [part] : words[part]
    if (choices === undefined) throw new RangeError(`'${pattern}' needs words for {${part}}`)
    return { choices }
  })
}

/** A step near the golden section that reaches each of `count` places before it comes back to the first. */
function strideThrough(count: number): number {
  let step = Math.max(1, Math.round(count * 0.618))
  while (divisor(step, count) > 1) step++
  return step
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
