import { searched } from '../contract/fields.ts'
import { normalizeText } from '../db/normalize-text.ts'
import { type Sql, sql } from '../db/sql.ts'

/** The parameter of a list that finds its items by the words of their names. */
export const wordStarts = searched.optional().meta({
  description: 'Starts of words of the name, in any case, accents and order: `an ex` finds Ann Example.',
})

/** Condition: each word of `q` is the start of a word of a name. @param nameKey the normalized name */
export function hasWordsOf(nameKey: Sql, q: string): Sql {
  const folded = normalizeText(q).trim()
  const words = spaced(folded).split(' ').filter(Boolean)
  if (words.length === 0) return sql`strpos(${nameKey}, ${folded}) > 0`
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
  // names that hold it nowhere, which are most, are told apart at once; what is special in LIKE separates words
  return sql`(strpos(${nameKey}, ${longest}) > 0 and ${wordsOf(nameKey)} like all (${words.map((word) => `% ${word}%`)}))`
}

// what separates words; a name is normalized, so there are fewer than one thinks
const separators = '\t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~¡¿«»·–—‘’‚“”„†‡•‹›、。〈〉《》「」『』【】・〜'

// by characters: what belongs to a word by the rules of a database's locale is another matter on each machine
const wordsOf = (nameKey: Sql): Sql =>
  sql`(' ' || translate(${nameKey}, ${separators}, ${' '.repeat([...separators].length)}))`

const spaced = (folded: string) =>
  [...folded].map((character) => (separators.includes(character) ? ' ' : character)).join('')
