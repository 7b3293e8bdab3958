/**
 * A text without case and accents, for order, uniqueness and search; the same on every machine. It goes by way of capitals,
 * as ß and ss, ς and σ have the same ones.
 * @see Unicode Standard Annex #15 (NFKD)
 */
export const normalizeText = (value: string) =>
  foldCase(streamSafe(sparing(value)).normalize('NFKD').replace(accents, ''))
    .replaceAll('ς', 'σ')
    .normalize('NFKC')

/**
 * Two characters are sentences of Arabic (U+FDFA, U+FDFB), which folding makes eighteen times and eight times as long; others become a
 * handful of letters at most. Behind the first ones they are as good as a space, so that no text takes much longer to fold than others.
 * The result is as long as the text.
 */
export function sparing(text: string): string {
  // nearly every text is too short to hold more
  if (text.length <= mostSentences) return text
  const places = text.matchAll(sentences)
  for (let n = 0; n < mostSentences; n++) if (places.next().done) return text
  const { value: next } = places.next()
  if (next === undefined) return text
  return text.slice(0, next.index) + text.slice(next.index).replaceAll('\ufdfa', ' ').replaceAll('\ufdfb', ' ')
}

const mostSentences = 1_000
const sentences = /[\ufdfa\ufdfb]/g

/**
 * Marks in a row are put in order one by one, which takes the square of their number; no language needs more than 30.
 * Beside marks: letters of half width that are decomposed into marks.
 * @see Unicode Standard Annex #15, Stream-Safe Text Format
 */
// bounded: each mark is tried 30 times at most
const streamSafe = (value: string) => value.replace(/([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu, '$1')

// ẞ is a capital already, so it goes down before it goes up
const foldCase = (value: string) => value.toLowerCase().toUpperCase().toLowerCase()

// marks of scripts in which a word without them is still that word; the others are vowels (Devanagari, Thai) or make
// another letter, as the Japanese ones do that no script has for itself, and those of й, ў, ї, ѓ and ќ.
// `foldName` of the client does the same (client/src/fold-name.ts)
const accents =
  /(?![\u3099\u309a]|\u0306(?<=[ИиУу]\p{M}*)|\u0308(?<=[Іі]\p{M}*)|\u0301(?<=[ГгКк]\p{M}*))(?=[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}])\p{M}/gu

/** The words of a normalized text. */
export const wordsIn = (folded: string): string[] => folded.split(noWord).filter((word) => word !== '')

const noWord = /[^\p{L}\p{N}\p{M}]+/gu

/** The words of a text that is not normalized yet, which normalizes it in between: so much as takes about a millisecond at a time. */
export function* normalizedWords(text: string): Generator<void, string[]> {
  const words: string[] = []
  let open = ''
  for (const [part] of sparing(text).matchAll(parts)) {
    const [goesOn = '', ...others] = normalizeText(part).split(noWord)
    open += goesOn
    for (const word of others) {
      if (open !== '') words.push(open)
      // the last one may go on in the next part
      open = word
    }
    yield
  }
  if (open !== '') words.push(open)
  return words
}

/** What is composed with what stands before it, and so is not parted from it: marks, and letters of Hangul and Kirat Rai. */
export const composed = '\\p{M}\\u1160-\\u11ff\\u3131-\\u318e\\uff9e\\uff9f\\uffa0-\\uffdc\\u{16d63}-\\u{16d6a}'
// bounded: every text fits, so nothing is tried twice
const parts = new RegExp(`[^]{1,1500}[${composed}]*`, 'gu')

/**
 * What a task is found by: the normalized words of its name and description, with a space around each. Between the two is a
 * word that no query can contain, as normalizing changes it. So no phrase matches across the two.
 */
export function searchWords({ name, description }: { name: string; description?: string | null | undefined }): string {
  const texts = description ? [name, description] : [name]
  return ` ${texts.map((text) => wordsIn(normalizeText(text)).join(' ')).join(' ς ')} `
}

/**
 * The words again if there are so many that PostgreSQL may not store the positions of all; else null. It stores 256
 * positions of a word, none above 16,383, and may count more words than we do.
 * @see PostgreSQL, Text Search: Limitations
 */
export function longText(words: string): string | null {
  if (words.length <= 2 * mostPlaces) return null
  const counts = new Map<string, number>()
  const all = words.trim().split(' ')
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1)
  const many = all.length > mostWords || [...counts.values()].some((count) => count > mostPlaces)
  return many ? words : null
}

const mostPlaces = 120
const mostWords = 8_000
