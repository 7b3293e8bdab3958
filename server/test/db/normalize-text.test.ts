import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../../src/db/at-once.ts'
import { normalizedWords, normalizeText, withoutSymbols, wordsIn } from '../../src/db/normalize-text.ts'
import { rounds } from '../support/rounds.ts'

const wordsOf = (text: string) => atOnce(normalizedWords(text))

const rows = {
  'of one mark': '\u0301',
  'of marks that change places': '\u0301\u0316',
  'of marks of half width': '\uff9e\u0316',
  'of marks that are letters': '\u093c\u0e38',
}

for (const [name, marks] of Object.entries(rows)) {
  test(`a row ${name} that is ten times as long takes some ten times as long to fold, not a hundred times`, () => {
    const of = (length: number) => `a${marks.repeat(length)}`
    const [short, long] = [fastest(() => wordsOf(of(2_000))), fastest(() => wordsOf(of(20_000)))]
    assert.ok(long < 40 * short, `${long / short} times as long`)
  })
}

test('a name with no more than 30 marks in a row is folded as before', () => {
  const marks = '\u0e38'.repeat(30)
  assert.equal(normalizeText(`ก${marks}ข${marks}`), `ก${marks}ข${marks}`)
  assert.equal(normalizeText(`ก${marks}\u0e38ข`), `ก${marks}ข`)
})

test('no text becomes several times as long as others when it is folded, and an ordinary text is folded whole', () => {
  for (const sentence of ['\ufdfa', '\ufdfb']) {
    const words = wordsOf(sentence)
    assert.deepEqual(wordsOf(`${sentence} `.repeat(1_000)), Array.from({ length: 1_000 }, () => words).flat())
    const long = wordsOf(`${sentence.repeat(49_000)} fence`)
    assert.ok(long.join('').length < 100_000, `${long.join('').length} letters`)
    assert.equal(long.at(-1), 'fence')
  }
})

test('a text that is normalized in parts has the same words as the whole', () => {
  const characters =
    'a é e\u0301 Σ ς ß ﬃ か\u3099 ｶﾞ 한 ᄒ\u1161\u11ab ㅎㅏ \u{16d63}\u{16d67} \u321d \u3316 \ufdfa 😀 - . \n'
      .split(' ')
      .concat(' ')
  for (let round = 0; round < rounds(20, 200); round++) {
    const some = Array.from({ length: 1_600 }, () => characters[Math.floor(Math.random() * characters.length)])
    // parts end where nothing does that is often tried
    const text = `${'x'.repeat(round % 7)}${some.join('')}`
    assert.deepEqual(atOnce(normalizedWords(text)), wordsIn(normalizeText(withoutSymbols(text))), JSON.stringify(text))
  }
  for (const text of [
    '',
    ' ',
    'a',
    '각'.repeat(5_000),
    'Σ'.repeat(3_000),
    `a${'\u0301'.repeat(4_000)}`,
    '\ufdfa'.repeat(4_000),
  ])
    assert.deepEqual(atOnce(normalizedWords(text)), wordsIn(normalizeText(withoutSymbols(text))))
})

function fastest(work: () => void): number {
  // a stretch without others, and compiled, is among so many
  const times = Array.from({ length: 40 }, () => {
    const beganAt = process.hrtime.bigint()
    work()
    return Number(process.hrtime.bigint() - beganAt)
  })
  return Math.min(...times)
}
