import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeText } from '../../server/src/db/normalize-text.ts'
import { rounds } from '../../server/test/support/rounds.ts'
import { foldName } from '../src/index.ts'

test('the client folds names as the server does, with any Unicode character', () => {
  const marks = ['', '\u0301', '\u0306', '\u0308', '\u0323', '\u093c', '\u3099']
  // all, or those of alphabets and each seventeenth beyond them
  const last = rounds(0x0fff, 0x10ffff)
  for (let code = 0; code <= 0x10ffff; code += code < last ? 1 : 17) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const name = marks.map((mark) => `a${character}${mark}b`).join(' ')
    const folded = foldName(name)
    if (folded !== normalizeText(name)) assert.equal(folded, normalizeText(name), `U+${code.toString(16)}`)
  }
})
