import { normalizeText, wordsIn } from '../../../src/db/normalize-text.ts'

/**
 * Whether texts are found by a query, read plainly: of each alternative all that must be there stands in one text or another,
 * a phrase within one, and what must not be there in none.
 */
export function isFound(texts: readonly (string | null)[], q: string): boolean {
  const all = texts.map((text) => wordsIn(normalizeText(text ?? '')))
  return alternativesOf(q).some((terms) =>
    terms.every(({ words, prefix, not }) => {
      return all.some((text) => stands(text, words, prefix)) !== not
    }),
  )
}

const stands = (text: string[], words: string[], prefix: boolean) =>
  text.some((_, at) =>
    words.every((word, i) => {
      const there = text[at + i] ?? ''
      return there === word || (prefix && i === words.length - 1 && there.startsWith(word))
    }),
  )

interface Term {
  words: string[]
  prefix: boolean
  not: boolean
}

/** Only what the queries of tests are made of: words, phrases, minus, `or` and words that begin so. */
function alternativesOf(q: string): Term[][] {
  const alternatives: Term[][] = [[]]
  for (const [, minus, phrase, word = ''] of q.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)) {
    if (word === 'or') alternatives.push([])
    else
      alternatives.at(-1)?.push({
        words: wordsIn(normalizeText(phrase ?? word)),
        prefix: word.endsWith('*'),
        not: minus === '-',
      })
  }
  return alternatives
}
