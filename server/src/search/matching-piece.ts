import type { Place } from './placed-words.ts'
import { findIn, type SearchTerm, type TermMatch } from './search-terms.ts'

/** A piece of a text that contains matches. */
interface Piece {
  /** as written in the text */
  text: string
  /** the matches, in UTF-16 code units from the start of the piece: ascending, none within another */
  matches: Place[]
  cutBefore: boolean
  cutAfter: boolean
}

/** A piece of a text, and the number of its different matches. */
interface MatchingPiece {
  piece: Piece
  /** how many different words or phrases of the search match */
  found: number
}

/** The longest piece, in UTF-16 code units. */
export const longestPiece = 160

// a piece has up to this many before its first match, so that a reader has the context
const before = 40
// a cut moves up to this far to be between words
const toNextWord = 24
// enough to choose from; a text of 50,000 letters may contain one of them 25,000 times
const mostFound = 1_000

/**
 * Finds the piece of a text with the most different matches, the first one of several. Without a match it is the beginning of
 * the text.
 * @param most characters to search, from the beginning
 */
export function* matchingPiece(
  text: string,
  sought: readonly SearchTerm[],
  most = text.length,
): Generator<void, MatchingPiece> {
  const { first, found } = yield* bestOf(text.slice(0, most), sought)
  const from = text.length <= longestPiece ? 0 : startOf(text, first)
  const to = endOf(text, from)
  const matches = within(text, sought, { start: from, end: to })
  const piece = { text: text.slice(from, to), matches, cutBefore: from > 0, cutAfter: to < text.length }
  return { piece, found }
}

/** Finds the start of the stretch with the most different matches, and their number. */
function* bestOf(text: string, sought: readonly SearchTerm[]): Generator<void, { first: number; found: number }> {
  let best = { first: 0, found: 0 }
  const near: TermMatch[] = []
  const counts = new Map<number, number>()
  const count = (which: number, by: number) => {
    const of = (counts.get(which) ?? 0) + by
    if (of > 0) counts.set(which, of)
    else counts.delete(which)
  }
  let seen = 0
  for (const match of findIn(text, sought)) {
    yield
    if (match === undefined) continue
    near.push(match)
    count(match.which, 1)
    while (near.length > 1 && match.end - (near[0] ?? match).start > longestPiece - before)
      count(near.shift()?.which ?? match.which, -1)
    if (counts.size > best.found) best = { first: Math.min(...near.map(({ start }) => start)), found: counts.size }
    if (best.found === sought.length || ++seen === mostFound) break
  }
  return best
}

/** The matches in a stretch, cut at its ends. */
function within(text: string, sought: readonly SearchTerm[], { start, end }: Place): Place[] {
  // read whole words: a word that is cut would be another word
  let [from, to] = [start, end]
  const [first, last] = [Math.max(0, start - longestWord), Math.min(text.length, end + longestWord)]
  while (from > first && !separates.test(text.charAt(from - 1))) from--
  while (to < last && !separates.test(text.charAt(to))) to++
  const found = [...findIn(text.slice(from, to), sought)].flatMap((match) =>
    match === undefined
      ? []
      : [{ start: Math.max(match.start + from, start) - start, end: Math.min(match.end + from, end) - start }],
  )
  const matches: Place[] = []
  for (const match of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = matches.at(-1)
    if (match.start >= match.end) continue
    if (last && match.start < last.end) last.end = Math.max(last.end, match.end)
    else matches.push(match)
  }
  return matches
}

// no word contains one of these, and none of them changes a word beside it
const separates = /[^A-Za-z0-9\u0080-\uffff]/
// nobody searches for a longer word, and such a word may be as long as the text
const longestWord = 500

/** The start of a piece, shortly before its first match: between words if possible, otherwise between characters. */
function startOf(text: string, first: number): number {
  const from = Math.min(first - before, text.length - longestPiece)
  if (from <= 0) return 0
  const space = /\s+/.exec(text.slice(from - 1, Math.min(from + toNextWord, first)))
  return space ? from - 1 + space.index + space[0].length : betweenCharacters(text, from)
}

/** The end of a piece that begins at `from`. */
function endOf(text: string, from: number): number {
  const to = from + longestPiece
  if (to >= text.length) return text.length
  const rest = text.slice(to - toNextWord, to + 1)
  // bounded: by the 25 characters of `rest`
  const space = /\s+\S*$/.exec(rest)
  return space && space.index > 0 ? to - toNextWord + space.index : betweenCharacters(text, to)
}

// a longer grapheme is cut
const longestCharacter = 32
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The nearest position at or before `at` that cuts no grapheme. */
function betweenCharacters(text: string, at: number): number {
  const from = Math.max(0, at - longestCharacter)
  const character = characters.segment(text.slice(from, at + longestCharacter)).containing(at - from)
  const cut = from + (character?.index ?? 0)
  return /[\udc00-\udfff]/.test(text.charAt(cut)) ? cut - 1 : cut
}
