import {
  composed,
  isUnspaced,
  normalizeText,
  sparing,
  withoutSymbols,
  wordsIn,
  wordsWithPlaces,
} from '../db/normalize-text.ts'

/**
 * A word of a text as it is folded, and where it stands in that text as it was written. Of a script without spaces each character is one,
 * and all but the first are `joined` to the one before.
 */
export interface PlacedWord {
  word: string
  joined: boolean
  /** Where it stands, in UTF-16 code units. @param letters only its first ones, as it is folded */
  place: (letters?: number) => Place
}

/** A stretch of a text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Place {
  start: number
  end: number
}

/**
 * The words of a text in their order, the same as `wordsIn(normalizeText(text))` finds; but a run of thousands of characters that
 * nothing separates is cut. Once so many places were asked for that to find them takes long, there are no further words.
 * @param from where the text begins in a longer one, by which places are counted
 * @param asked of how many characters it was asked where they stand
 */
export function* placedWords(text: string, from = 0, asked = { characters: 0 }): Generator<PlacedWord> {
  for (const { 0: run, index: at } of withoutSymbols(sparing(text)).matchAll(runs)) {
    const index = from + at
    if (isAscii.test(run)) {
      const place = (letters = run.length) => ({ start: index, end: index + letters })
      yield { word: run.toLowerCase(), joined: false, place }
      continue
    }
    let start = index
    for (const part of run.length <= longestRun ? [run] : (run.match(partsOfRun) ?? [])) {
      yield* wordsOfRun(part, start, asked)
      if (asked.characters > mostAsked) return
      start += part.length
    }
  }
}

function* wordsOfRun(run: string, index: number, asked: { characters: number }): Generator<PlacedWord> {
  // where each letter comes from is asked of few words, and takes far longer than to fold them
  let placed: Place[][] | undefined
  const places = () => {
    asked.characters += run.length
    return run.length <= mostAsked ? placesIn(run) : []
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

const mostAsked = 10_000

/**
 * A text in stretches that end between words, and of which none is parted from what it is composed with: some thousand characters each,
 * or as many as nothing separates.
 */
export const stretchesOf = (text: string) => withoutSymbols(sparing(text)).matchAll(stretches)

// none of these is in a word, and none is changed by what stands beside it
const separators = '\\p{P}\\p{Z}\\p{Cc}$+<=>^`|~'
// bounded: every text fits these three, so nothing is tried twice
const stretches = new RegExp(`[^]{1,1000}[^${separators}]*`, 'gu')
const runs = new RegExp(`[^${separators}]+`, 'gu')
const longestRun = 1_000
const partsOfRun = new RegExp(`.{1,1000}[${composed}]*`, 'gu')
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
  return wordsWithPlaces(folded).map(({ word, start }) => from.slice(start, start + word.length))
}

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
