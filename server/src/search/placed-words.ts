import {
  combiningCharacters,
  cutExpandingCharacters,
  isUnspaced,
  normalizeText,
  withoutSymbols,
  wordsIn,
  wordsWithPlaces,
} from '../db/normalize-text.ts'

/**
 * A normalized word of a text, and its position in the text as written. In a script without spaces each character is a word, and
 * all but the first are `joined` to the one before.
 */
export interface PlacedWord {
  word: string
  joined: boolean
  /** Its position, in UTF-16 code units. @param letters only its first normalized letters */
  place: (letters?: number) => Place
}

/** A stretch of a text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Place {
  start: number
  end: number
}

/**
 * Yields the words of a text in order, as `wordsIn(normalizeText(text))` finds them; but it cuts a run of more than
 * 1,000 characters without a separator. It stops once it has computed positions for more than 10,000 characters.
 * @param from start of the text in a longer one, added to all positions
 * @param asked counts the characters whose positions were computed; calls can share it
 */
export function* placedWords(text: string, from = 0, asked = { characters: 0 }): Generator<PlacedWord> {
  for (const { 0: run, index: at } of withoutSymbols(cutExpandingCharacters(text)).matchAll(runPattern)) {
    const index = from + at
    if (isAscii.test(run)) {
      const place = (letters = run.length) => ({ start: index, end: index + letters })
      yield { word: run.toLowerCase(), joined: false, place }
      continue
    }
    let start = index
    for (const part of run.length <= longestRun ? [run] : (run.match(partsOfRun) ?? [])) {
      yield* wordsOfRun(part, start, asked)
      if (asked.characters > maxPositionedCharacters) return
      start += part.length
    }
  }
}

function* wordsOfRun(run: string, index: number, asked: { characters: number }): Generator<PlacedWord> {
  // compute the positions of letters only on request: few words need them, and they take far longer than normalizing
  let placed: Place[][] | undefined
  const places = () => {
    asked.characters += run.length
    return run.length <= maxPositionedCharacters ? placesIn(run) : []
  }
  for (const [i, word] of wordsIn(normalizeText(run)).entries()) {
    const place = (from: number, to: number) => {
      placed ??= places()
      const of = placed[i] ?? []
      const [first, last] = [of[from], of[to - 1]]
      return { start: index + (first?.start ?? 0), end: index + (last?.end ?? run.length) }
    }
    if (!isUnspaced(word)) {
      yield { word, joined: false, place: (letters = word.length) => place(0, letters) }
      continue
    }
    let start = 0
    for (const character of word) {
      const [from, to] = [start, start + character.length]
      yield { word: character, joined: from > 0, place: () => place(from, to) }
      start = to
    }
  }
}

const maxPositionedCharacters = 10_000

/**
 * Splits a text into stretches that end between words and never within a composed character. They have some thousand characters
 * each, or more if nothing separates them.
 */
export const chunkMatches = (text: string) => withoutSymbols(cutExpandingCharacters(text)).matchAll(chunkPattern)

// no word contains one of these, and their neighbours never change them
const separators = '\\p{P}\\p{Z}\\p{Cc}$+<=>^`|~'
// bounded: each pattern matches at every position, so the engine never goes back
const chunkPattern = new RegExp(`[^]{1,1000}[^${separators}]*`, 'gu')
const runPattern = new RegExp(`[^${separators}]+`, 'gu')
const longestRun = 1_000
const partsOfRun = new RegExp(`.{1,1000}[${combiningCharacters}]*`, 'gu')
const isAscii = /^[A-Za-z0-9]+$/

/** For each word in a run of characters, the positions of its letters; empty if they cannot be determined. */
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
  return wordsWithPlaces(folded).map(({ word, start }) => from.slice(start, start + word.length))
}

/** The parts of a run that normalize separately: a letter with its marks, a syllable of Hangul. */
function partsOf(run: string): Place[] {
  const parts: Place[] = []
  let start = 0
  for (const character of run) {
    const end = start + character.length
    const last = parts.at(-1)
    if (last && !isAscii.test(character) && attachesToPrevious.test(character.normalize('NFKD'))) last.end = end
    else parts.push({ start, end })
    start = end
  }
  return parts
}

// marks, vowels and finals of Hangul, and the vowel signs of Kirat Rai, which compose with one before them
const attachesToPrevious = /^[\p{M}\u1160-\u11ff\u{16d63}-\u{16d6a}]/u
