import { isUnspaced, normalizedWords } from './normalize-text.ts'

/** What a row is found by. Of a text without words both are null. */
interface Lexemes {
  /** as the text of a tsvector: places of words of the name have the weight A */
  lexemes: string | null
  /** the words with a space around each, if a tsvector cannot keep all places; else null */
  longText: string | null
}

/** The texts of a row, by column. */
export type Texts = Readonly<Record<string, string | null | undefined>>

/** Folds the texts of a row and splits them, some of them at a time: a long one takes as long as a hundred requests. */
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
    // no phrase reaches from one text into the next
    place++
  }
  isLong ||= place > mostPlaces
  const stored: string[] = []
  for (const [lexeme, of] of places) {
    // of a long text one place is enough, but of the name, for its rank: without any it would match whatever weight is asked for
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

/** Whether rows that are found by these texts have the column `long_text`: names are never so long. */
export const mayBeLong = (columns: readonly string[]): boolean => columns.some((column) => column !== 'name')

// a tsvector keeps 256 places of a lexeme, none above 16,383: see PostgreSQL, Text Search, Limitations
const mostPlacesOfOne = 255
const mostPlaces = 16_000

/** Every lexeme begins so: an index has those of an organization beside each other, and statistics tell how common each is in it. */
export const prefixOf = (orgId: string): string => orgId.slice(-6)

/** One lexeme of several that follow each other. */
interface Lexeme {
  lexeme: string
  /** whether it stands for all that begin so */
  begins: boolean
}

/**
 * The lexemes of words that follow each other. A script without spaces is kept in pairs of characters, and its last one by itself: so
 * each of its characters begins a lexeme, and any part of it is found.
 * @param open of words that are searched for: whether the last one may go on
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
