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

/**
 * The words of a normalized text. Scripts that put no spaces between words are a word of their own, apart from the letters and
 * digits beside them.
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

/** The same words, and where each begins. */
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

/** Whether a word is in a script that puts no spaces between words. A part of such a word is found too. */
export const isUnspaced = (word: string): boolean => unspaced.test(word)

/** Symbols that are normalized to letters, and yet separate words: № ℠ ™. The result is as long as the text. */
export const withoutSymbols = (text: string): string => text.replace(/[\u2116\u2120\u2122]/g, ' ')

/** The words of a text that is not normalized yet, which normalizes it in between: so much as takes about a millisecond at a time. */
export function* normalizedWords(text: string): Generator<void, string[]> {
  const words: string[] = []
  let open = ''
  for (const [part] of withoutSymbols(sparing(text)).matchAll(parts)) {
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
  return unspaced.test(text) ? words.flatMap(partedByScript) : words
}

/** What is composed with what stands before it, and so is not parted from it: marks, and letters of Hangul and Kirat Rai. */
export const composed = '\\p{M}\\u1160-\\u11ff\\u3131-\\u318e\\uff9e\\uff9f\\uffa0-\\uffdc\\u{16d63}-\\u{16d6a}'
// bounded: every text fits, so nothing is tried twice
const parts = new RegExp(`[^]{1,1500}[${composed}]*`, 'gu')
