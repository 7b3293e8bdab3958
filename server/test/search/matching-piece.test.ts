import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../../src/db/at-once.ts'
import { normalizeText, withoutSymbols, wordsIn } from '../../src/db/normalize-text.ts'
import * as pieces from '../../src/search/matching-piece.ts'
import { placedWords } from '../../src/search/placed-words.ts'
import type { SearchTerm } from '../../src/search/search-terms.ts'
import { fastest } from '../support/turns.ts'

const { longestPiece } = pieces
const matchingPiece = (text: string, sought: readonly SearchTerm[]) => atOnce(pieces.matchingPiece(text, sought))

/** What is marked in the piece of a text, for `*` behind a word also what begins with it, for several words a phrase. */
function marked(text: string, ...asked: string[]) {
  const { piece, found } = matchingPiece(text, asked.map(soughtOf))
  return { ...piece, found, marked: piece.matches.map(({ start, end }) => piece.text.slice(start, end)) }
}

const soughtOf = (asked: string): SearchTerm => ({ words: wordsIn(normalizeText(asked)), prefix: asked.endsWith('*') })

test('a match is marked as it is written, with its accents, ligatures and case', () => {
  const text = 'Das Cafe\u0301 „Zum ﬁnden“ in der STRASSE, Straße 5㎏; Istanbul, İSTANBUL; ΣΑΣ.'
  const cases: Record<string, string[]> = {
    cafe: ['Cafe\u0301'],
    finden: ['ﬁnden'],
    strasse: ['STRASSE', 'Straße'],
    '5kg': ['5㎏'],
    istanbul: ['Istanbul', 'İSTANBUL'],
    σας: ['ΣΑΣ'],
    'zum finden': ['Zum ﬁnden'],
    absent: [],
    'der strasse strasse': ['der STRASSE, Straße'],
  }
  for (const [asked, expected] of Object.entries(cases)) assert.deepEqual(marked(text, asked).marked, expected, asked)
})

test('in a word that begins with the query, that beginning is marked', () => {
  assert.deepEqual(marked('Inventory, invoice, inv', 'inv*').marked, ['Inv', 'inv', 'inv'])
  assert.deepEqual(marked('ﬁnally', 'f*').marked, ['ﬁ'])
  assert.deepEqual(marked('Cafe\u0301s', 'cafe*').marked, ['Cafe\u0301'])
  assert.deepEqual(marked('red fencepost', 'red fen*').marked, ['red fen'])
})

test('a short text is its own snippet; of a long one the snippet is around the first match, cut between words', () => {
  assert.deepEqual(marked('A fence', 'fence'), {
    ...{ text: 'A fence', matches: [{ start: 2, end: 7 }], cutBefore: false, cutAfter: false, found: 1 },
    marked: ['fence'],
  })
  const words = Array.from({ length: 200 }, (_, i) => (i % 90 === 45 ? 'fence' : `word${i}`))
  const { text, cutBefore, cutAfter, marked: marks } = marked(words.join(' '), 'fence')
  assert.deepEqual([cutBefore, cutAfter, marks], [true, true, ['fence']])
  assert.match(text, /^word4\d .* word44 fence word46 .* word\d+$/)
  assert.ok(text.length <= longestPiece)
  assert.deepEqual(marked(`${words.slice(0, 44).join(' ')} fence`, 'fence').cutAfter, false)
})

test('the snippet is the piece where most of the words stand together', () => {
  const far = 'and '.repeat(100)
  const text = `A fence. ${far}The red post of the fence ${far} a fence`
  const { marked: marks, found } = marked(text, 'red', 'fence', 'absent')
  assert.deepEqual([marks, found], [['red', 'fence'], 2])
})

test('without a match the snippet is the beginning of the text', () => {
  const { text, matches, cutBefore, cutAfter, found } = marked('word '.repeat(100), 'absent')
  assert.ok(text.startsWith('word word'))
  assert.deepEqual([matches, cutBefore, cutAfter, found], [[], false, true, 0])
})

test('a text of one long run is cut between characters as people see them', () => {
  for (const character of ['か', '👩‍👩‍👧', '🇫🇷', 'e\u0301\u0323', 'กำ']) {
    const { text } = marked(character.repeat(300), 'absent')
    assert.equal(text, character.repeat(text.length / character.length))
    assert.ok(text.length > longestPiece - 20)
  }
})

test('matches are at their places in any text, and a snippet is a short piece of that text with its marks in order', () => {
  const random = randomFrom(20_261_122)
  for (let round = 0; round < 3_000; round++) {
    const text = textFrom(random)
    const words = [...placedWords(text)]
    const whole: string[] = []
    for (const { word, joined } of words) whole.push(joined ? `${whole.pop() ?? ''}${word}` : word)
    assert.deepEqual(whole, wordsIn(normalizeText(withoutSymbols(text))), JSON.stringify(text))
    for (const { word, place } of words) {
      const { start, end } = place()
      const written = text.slice(start, end)
      assert.ok(wordsIn(normalizeText(written)).join(' ').includes(word), JSON.stringify({ text, word, written }))
      const short = place(1)
      assert.ok(short.start === start && short.end > start && short.end <= end, JSON.stringify({ text, word }))
    }
    const sought = words.length === 0 ? [] : [words[Math.floor(random() * words.length)]?.word ?? '']
    const { text: cut, matches, cutBefore, cutAfter } = marked(text, ...sought)
    const at = text.indexOf(cut)
    assert.ok(at >= 0 && cut.isWellFormed() && cut.length <= longestPiece, JSON.stringify({ text, cut }))
    assert.ok(cutBefore || text.startsWith(cut))
    assert.ok(cutAfter || text.endsWith(cut))
    if (sought.length > 0) assert.ok(matches.length > 0, JSON.stringify({ text, sought, cut }))
    let last = 0
    for (const { start, end } of matches) {
      assert.ok(last <= start && start < end && end <= cut.length, JSON.stringify({ text, sought, matches }))
      last = end
    }
  }
})

test('a text that is twenty times as long takes some twenty times as long, with any content', () => {
  for (const of of ['a ', 'かな', 'ﬁ ', 'е́ ', '한국 ', 'ｶﾞ', 'я']) {
    const sought = [soughtOf('absent'), soughtOf(of), soughtOf(`${of} absent`)]
    const text = (length: number) => of.repeat(length / of.length)
    const [short, long] = [text(2_000), text(40_000)]
    const often = spentOn(() => {
      for (let i = 0; i < 20; i++) matchingPiece(short, sought)
    })
    const once = spentOn(() => matchingPiece(long, sought))
    assert.ok(once < 8 * often + 40_000, `${of}: ${once} µs, and ${often} for twenty short ones`)
  }
})

test('a text without separators takes about as long as one of words', () => {
  for (const of of ['か', '한', 'ệ', '\u3316']) {
    const sought = [soughtOf(`${of}*`), soughtOf('absent*'), soughtOf('zz')]
    const words = `${of.repeat(9)} `.repeat(4_000)
    const ofWords = spentOn(() => matchingPiece(`${words}zz`, sought))
    const ofOne = spentOn(() => matchingPiece(`${of.repeat(40_000)} zz`, sought))
    assert.ok(ofOne < 2.5 * ofWords, `${of}: ${ofOne} µs, and ${ofWords} of words`)
  }
})

test('a search for a hundred words in a text takes little longer than one for few words', () => {
  const text = 'ab cd ef gh '.repeat(4_000)
  const sought = (count: number) =>
    Array.from({ length: count }, (_, n) => soughtOf(`w${n}`)).concat(soughtOf('ab'), soughtOf('zz'))
  const [few, many] = [2, 120].map((count) => spentOn(() => matchingPiece(text, sought(count))))
  assert.ok((many ?? 0) < 5 * (few ?? 0), `${many} µs, and ${few} for few`)
})

const characters = [
  ...[
    'fence',
    'Café',
    'Cafe\u0301',
    'ﬁnd',
    'STRASSE',
    'straße',
    'ẞ',
    'İ',
    'ı',
    'ΣΑΣ',
    'ς',
    '½',
    '㎏',
    '№',
    '℀',
    'か',
    'が',
    'か\u3099',
  ],
  ...[
    'ｶﾞ',
    '한국',
    'ᄒ\u1161\u11ab',
    'ㅎㅏ',
    '👍🏽',
    '👩‍👩‍👧',
    'क्षि',
    'กำ',
    'שָׁלוֹם',
    'مُحَمَّد',
    '𝒜',
    '𐐀',
    'ŉ',
    'ǰ',
    'ΐ',
    '\u0301',
    '\u0345',
    '\u093f',
  ],
  ...[
    ' ',
    '  ',
    '\n',
    '-',
    '/',
    '.',
    ',',
    '"',
    "'",
    '<\u0338',
    '\u200d',
    '\u00ad',
    '_',
    '\u2026',
    '。',
    '\u3000',
    '\u3099',
    '\ufdfa',
  ],
]

function textFrom(random: () => number): string {
  const length = Math.floor(random() ** 3 * 120)
  return Array.from(
    { length },
    () => characters[Math.floor(random() * characters.length)] + (random() < 0.3 ? ' ' : ''),
  ).join('')
}

/** Numbers from 0 to 1, the same for the same seed. @see Marsaglia, Xorshift RNGs (2003) */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** The least time of the processor, in microseconds, of some tries. */
const spentOn = (work: () => unknown): number => 1_000 * fastest(work, 5)
