import { isUnspaced, normalizedWords } from './normalize-text.ts'

/** The stored words by which search finds a row. Both are null if the texts have no words. */
interface Lexemes {
  /** text of a tsvector; words of the name have the weight A */
  lexemes: string | null
  /** all words with spaces around each, if a tsvector cannot keep all positions; otherwise null */
  longText: string | null
}

/** The texts of a row, by column. */
export type Texts = Readonly<Record<string, string | null | undefined>>

/** Normalizes and splits the texts of a row, a part at a time: a long text takes as long as a hundred requests. */
export function* foldingTexts(orgId: string, texts: Texts): Generator<void, Lexemes> {
  const folded: { words: string[]; weight: string }[] = []
  for (const [column, text] of Object.entries(texts)) {
    const words = text ? yield* normalizedWords(text) : []
    if (words.length > 0) folded.push({ words, weight: column === 'name' ? 'A' : '' })
  }
  if (folded.length === 0) return { lexemes: null, longText: null }
  const begins = prefixOf(orgId)
  const places = new Map<string, string[]>()
  let place = 0
  let isLong = false
  for (const { words, weight } of folded) {
    for (const word of words) {
      for (const { lexeme } of lexemesOf([word])) {
        const of = places.get(lexeme) ?? []
        if (of.length === 0) places.set(lexeme, of)
        of.push(`${++place}${weight}`)
        isLong ||= of.length > mostPlacesOfOne
        if (place % atATime === 0) yield
      }
    }
    // leave a gap, so that no phrase spans two texts
    place++
  }
  isLong ||= place > mostPlaces
  const stored: string[] = []
  for (const [lexeme, of] of places) {
    // in a long text a word keeps its positions in the name, for its rank, or else only the first one. A word without a
    // position would match every weight
    const named = isLong ? of.filter((place) => place.endsWith('A')) : of
    const kept = named.length > 0 ? named : of.slice(0, 1)
    stored.push(`${begins}${lexeme}:${kept.join()}`)
    if (stored.length % atATime === 0) yield
  }
  return {
    lexemes: stored.join(' '),
    longText: isLong ? ` ${folded.map(({ words }) => words.join(' ')).join(' ς ')} ` : null,
  }
}

const atATime = 500

/** Whether rows that are found by these columns have the column `long_text`: a name is never that long. */
export const mayBeLong = (columns: readonly string[]): boolean => columns.some((column) => column !== 'name')

// a tsvector keeps 256 positions of a lexeme, none above 16,383: see PostgreSQL, Text Search, Limitations
const mostPlacesOfOne = 255
const mostPlaces = 16_000

/** The prefix of an organization's lexemes. It groups them in an index, and gives the planner statistics per organization. */
export const prefixOf = (orgId: string): string => orgId.slice(-6)

interface Lexeme {
  lexeme: string
  /** whether it matches all lexemes with this prefix */
  begins: boolean
}

/**
 * The lexemes of consecutive words. A word of a script without spaces becomes pairs of characters, and its last character. So
 * each of its characters begins a lexeme, and search finds any part of it.
 * @param open only for the words of a query: whether the last one may be incomplete
 */
export function lexemesOf(words: readonly string[], open?: boolean): Lexeme[] {
  return words.flatMap((word, i): Lexeme[] => {
    const isLast = i === words.length - 1
    if (!isUnspaced(word)) return [{ lexeme: shortened(word), begins: isLast && open === true }]
    const characters = Array.from(word)
    const pairs = characters.slice(0, -1).map((one, at) => ({ lexeme: `${one}${characters[at + 1]}`, begins: false }))
    const last = { lexeme: characters.at(-1) ?? '', begins: isLast && open !== undefined }
    return isLast && open !== undefined && pairs.length > 0 ? pairs : [...pairs, last]
  })
}

// the longest lexeme of a tsvector has 2,046 bytes
const mostCharacters = 250
const shortened = (word: string) =>
  word.length <= mostCharacters ? word : Array.from(word).slice(0, mostCharacters).join('')
