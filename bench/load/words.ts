import type { Random } from '../../server/src/for-tools.ts'

/** In a fifth of all tasks. */
export const commonWord = 'review'
/** In two of a thousand. */
export const seldomWord = 'quartz'

const starts = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'wu', 'za']
const ends = ['ber', 'con', 'dal', 'fen', 'gor', 'kin', 'lam', 'mor', 'nel', 'pan', 'ras', 'sol', 'tem', 'ver']

/** Some words of a made-up language of 3,136 words, with spaces between. */
export function wordsOf(random: Random, count: number): string {
  let text = word(random)
  for (let i = 1; i < count; i++) text += ` ${word(random)}`
  return text
}

const word = (random: Random) => random.pick(starts) + random.pick(ends) + (random.chance(0.1) ? random.pick(ends) : '')

/** The name of a task; a few bear a word that can be searched for. */
export function taskName(random: Random): string {
  const asked = random.chance(0.2) ? ` ${commonWord}` : random.chance(0.0025) ? ` ${seldomWord}` : ''
  return wordsOf(random, random.between(2, 6)) + asked
}

/** No description, a line, or a few paragraphs. */
export function taskDescription(random: Random): string | null {
  const kind = random.fraction()
  if (kind < 0.4) return null
  if (kind < 0.9) return wordsOf(random, random.between(3, 15))
  return [random.between(10, 40), random.between(10, 60)].map((count) => wordsOf(random, count)).join('\n\n')
}
