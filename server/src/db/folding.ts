/**
 * A name folded for order and uniqueness: without case and accents, the same on every machine. By way of capitals, as
 * ß and ss, ς and σ have the same.
 * @see Unicode Standard Annex #15 (NFKD)
 */
export const fold = (value: string) =>
  foldCase(streamSafe(value).normalize('NFKD').replace(accents, '')).replaceAll('ς', 'σ').normalize('NFKC')

/**
 * Marks in a row are put in order one by one, which takes the square of their number; no language needs more than 30.
 * Beside marks: letters of half width that are decomposed into marks.
 * @see Unicode Standard Annex #15, Stream-Safe Text Format
 */
const streamSafe = (value: string) => value.replace(/([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu, '$1')

// ẞ is a capital already, so it goes down before it goes up
const foldCase = (value: string) => value.toLowerCase().toUpperCase().toLowerCase()

// marks of scripts in which a word without them is still that word; the others are vowels (Devanagari, Thai) or make
// another letter, as the Japanese ones do that no script has for itself
const accents = /(?![\u3099\u309a])(?=[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}])\p{M}/gu

/** What a task is found by: the words of its name and description, folded, with spaces between. */
export const searchWords = ({ name, description }: { name: string; description?: string | null | undefined }) =>
  fold(`${name} ${description ?? ''}`).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')

/**
 * What is searched for, in the same words; quotes and a minus before a word stay. Left to itself PostgreSQL takes
 * `login/logout` for the path of a file, and counts long compounds until they are too many to store.
 */
export const askedWords = (q: string) => fold(q).replace(/[^\p{L}\p{N}\p{M}"-]+|-(?!["\p{L}\p{N}])|(?<=\S)-/gu, ' ')
