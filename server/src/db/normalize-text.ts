/**
 * Removes case and accents from a text, for order, uniqueness and search; the same on every machine. It goes through capitals,
 * as ß and ss, ς and σ share theirs.
 * @see Unicode Standard Annex #15 (NFKD)
 */
export const normalizeText = (value: string) =>
  foldCase(streamSafe(cutExpandingCharacters(value)).normalize('NFKD').replace(accents, ''))
    .replaceAll('ς', 'σ')
    .normalize('NFKC')

/**
 * Bounds the time to normalize a text. Two characters are Arabic sentences (U+FDFA, U+FDFB): normalizing makes them eighteen and
 * eight times as long. Other characters become at most a handful of letters. After the first 1,000, these two become spaces.
 * The result is as long as the text.
 */
export function cutExpandingCharacters(text: string): string {
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
 * Keeps at most 30 marks in a row, more than any language needs: sorting them takes the square of their number. The class also
 * has the half-width letters that decompose into marks.
 * @see Unicode Standard Annex #15, Stream-Safe Text Format
 */
// bounded: each mark is tried 30 times at most
const streamSafe = (value: string) => value.replace(/([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu, '$1')

// ẞ is a capital already, so make it small before it becomes a capital
const foldCase = (value: string) => value.toLowerCase().toUpperCase().toLowerCase()

// marks of scripts in which a word without them is still that word. Other marks are vowels (Devanagari, Thai) or make another
// letter, as in й, ў, ї, ѓ, ќ and in Japanese, whose marks belong to no single script.
// `foldName` of the client does the same (client/src/fold-name.ts)
const accents =
  /(?![\u3099\u309a]|\u0306(?<=[ИиУу]\p{M}*)|\u0308(?<=[Іі]\p{M}*)|\u0301(?<=[ГгКк]\p{M}*))(?=[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}])\p{M}/gu

/**
 * The words of a normalized text. A run of a script without spaces is a word of its own, apart from the letters and digits
 * beside it.
 */
export const wordsIn = (folded: string): string[] => {
  const words = folded.split(noWord).filter((word) => word !== '')
  return unspaced.test(folded) ? words.flatMap(partedByScript) : words
}

const noWord = /[^\p{L}\p{N}\p{M}]+/u
const unspacedScripts = ['Hani', 'Hira', 'Kana', 'Hang', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr'].map(
  (name) => `\\p{scx=${name}}`,
)
// bounded: a class alone, tried once at each character
const unspaced = new RegExp(`[${unspacedScripts.join('')}]`, 'u')
const partsByScript = new RegExp(`[${unspacedScripts.join('')}]+|[^${unspacedScripts.join('')}]+`, 'gu')
const partedByScript = (word: string): string[] => word.match(partsByScript) ?? []

/** The same words with the position at which each begins. */
export const wordsWithPlaces = (folded: string): { word: string; start: number }[] =>
  Array.from(folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)).flatMap(({ 0: whole, index }) => {
    const found: { word: string; start: number }[] = []
    let start = index
    for (const word of partedByScript(whole)) {
      found.push({ word, start })
      start += word.length
    }
    return found
  })

/** Whether a word is in a script without spaces between words. Search also finds a part of such a word. */
export const isUnspaced = (word: string): boolean => unspaced.test(word)

/** Replaces symbols that normalize to letters and yet separate words: № ℠ ™. The result is as long as the text. */
export const withoutSymbols = (text: string): string => text.replace(/[\u2116\u2120\u2122]/g, ' ')

/** The words of a raw text. It normalizes the text in parts that take about a millisecond each. */
export function* normalizedWords(text: string): Generator<void, string[]> {
  const words: string[] = []
  let open = ''
  for (const [part] of withoutSymbols(cutExpandingCharacters(text)).matchAll(parts)) {
    const [goesOn = '', ...others] = normalizeText(part).split(noWord)
    open += goesOn
    for (const word of others) {
      if (open !== '') words.push(open)
      // the last word may go on in the next part
      open = word
    }
    yield
  }
  if (open !== '') words.push(open)
  return unspaced.test(text) ? words.flatMap(partedByScript) : words
}

/** Characters that combine with the one before, so a text must not be cut there: marks, and letters of Hangul and Kirat Rai. */
export const combiningCharacters =
  '\\p{M}\\u1160-\\u11ff\\u3131-\\u318e\\uff9e\\uff9f\\uffa0-\\uffdc\\u{16d63}-\\u{16d6a}'
// bounded: every text fits, so nothing is tried twice
const parts = new RegExp(`[^]{1,1500}[${combiningCharacters}]*`, 'gu')
