import { normalizeText, wordsIn } from '../db/normalize-text.ts'

/** A word of a text as it is folded, and where it stands in that text as it was written. */
export interface PlacedWord {
  word: string
  /** Where it stands, in UTF-16 code units. @param letters only its first ones, as it is folded */
  place: (letters?: number) => Place
}

/** A stretch of a text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Place {
  start: number
  end: number
}

/** The words of a text in their order, the same as `wordsIn(normalizeText(text))` finds. */
export function* placedWords(text: string): Generator<PlacedWord> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (isAscii.test(run)) {
      const place = (letters = run.length) => ({ start: index, end: index + letters })
      yield { word: run.toLowerCase(), place }
      continue
    }
    // where each letter comes from is asked of few words, and takes far longer than to fold them
    let placed: Place[][] | undefined
    for (const [i, word] of wordsIn(normalizeText(run)).entries()) {
      const place = (letters = word.length) => {
        placed ??= placesIn(run)
        const of = placed[i] ?? []
        const [first, last] = [of[0], of[letters - 1]]
        return { start: index + (first?.start ?? 0), end: index + (last?.end ?? run.length) }
      }
      yield { word, place }
    }
  }
}

// no character of ASCII is changed by what stands beside it, so none but letters and digits is in a word
const runs = /[A-Za-z0-9\u0080-\u{10ffff}]+/gu
const isAscii = /^[A-Za-z0-9]+$/

/** Of each word in a run of characters, where its letters come from; nothing where that cannot be told. */
function placesIn(run: string): Place[][] {
  let folded = ''
  const from: Place[] = []
  for (const part of partsOf(run)) {
    const written = run.slice(part.start, part.end)
    const letters = isAscii.test(written) ? written.toLowerCase() : normalizeText(written)
    folded += letters
    for (let i = 0; i < letters.length; i++) from.push(part)
  }
  if (folded !== normalizeText(run)) return []
  return [...folded.matchAll(wholeWords)].map(({ 0: word, index }) => from.slice(index, index + word.length))
}

const wholeWords = /[\p{L}\p{N}\p{M}]+/gu

/** The parts of a run that are folded each by itself: a letter with the marks behind it, a syllable of Hangul. */
function partsOf(run: string): Place[] {
  const parts: Place[] = []
  let start = 0
  for (const character of run) {
    const end = start + character.length
    const last = parts.at(-1)
    if (last && !isAscii.test(character) && joinsTheLast.test(character.normalize('NFKD'))) last.end = end
    else parts.push({ start, end })
    start = end
  }
  return parts
}

// marks, vowels and finals of Hangul, and the one letter that is composed with one before it (Kirat Rai)
const joinsTheLast = /^[\p{M}\u1160-\u11ff\u{16d63}-\u{16d6a}]/u
