import type { Random } from '../../server/src/for-tools.ts'

/** Words that can be searched for, each with the share of all tasks that bear it; the last one is in hidden projects only. */
export const askedWords = {
  third: { word: 'plan', share: 1 / 3 },
  common: { word: 'review', share: 0.2 },
  hundredth: { word: 'granite', share: 0.01 },
  seldom: { word: 'quartz', share: 0.002 },
  thousandth: { word: 'onyx', share: 0.001 },
  hidden: { word: 'velvet', share: 0.01 },
} as const

const starts = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'wu', 'za']
const ends = ['ber', 'con', 'dal', 'fen', 'gor', 'kin', 'lam', 'mor', 'nel', 'pan', 'ras', 'sol', 'tem', 'ver']

/** Some words of a made-up language of 3,136 words, with spaces between. */
export function wordsOf(random: Random, count: number): string {
  let text = word(random)
  for (let i = 1; i < count; i++) text += ` ${word(random)}`
  return text
}

const word = (random: Random) => random.pick(starts) + random.pick(ends) + (random.chance(0.1) ? random.pick(ends) : '')

/** The name of a task; some bear words that can be searched for, in any order. */
export function taskName(random: Random, isHidden: boolean): string {
  const borne = Object.values(askedWords).flatMap(({ word, share }) => {
    const may = word !== askedWords.hidden.word || isHidden
    return random.chance(share) && may ? [word] : []
  })
  return [wordsOf(random, random.between(2, 6)), ...random.shuffled(borne)].join(' ')
}

/** No description, a line, or a few paragraphs. */
export function taskDescription(random: Random): string | null {
  const kind = random.fraction()
  if (kind < 0.4) return null
  if (kind < 0.9) return wordsOf(random, random.between(3, 15))
  return [random.between(10, 40), random.between(10, 60)].map((count) => wordsOf(random, count)).join('\n\n')
}
