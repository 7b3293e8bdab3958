import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apart } from '../src/plain-names.ts'
import { peopleWords } from '../src/views/people/people-words.ts'
import { trashWords } from '../src/views/trash/trash-words.ts'
import { words } from '../src/words.ts'

test('a name does not change the direction of the sentence around it', () => {
  const name = 'Nora\u202E\u2067 New\u2069'
  assert.equal(peopleWords.removeTitle(name), 'Remove Nora New?')
  assert.equal(words.board.running([name, 'Olga']), 'Timer running: Nora New, Olga')
  assert.equal(words.task.conflict.title(name), 'Nora New: two versions')
  // marks that turn nothing but themselves belong to some scripts
  assert.equal(
    peopleWords.removed('\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'),
    '\u2068\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645\u2069 was removed.',
  )
})

test('a right-to-left name is isolated, also in a text that is joined from several', () => {
  const name = '\u05D3\u05E3 3!'
  assert.equal(trashWords.restored(name), `\u2068${name}\u2069 was restored.`)
  assert.equal(trashWords.restored(`WEB-1 ${apart(name)}`), `WEB-1 \u2068${name}\u2069 was restored.`)
  assert.equal(trashWords.restored(`\u202E${name}\u2068`), `\u2068${name}\u2069 was restored.`)
})
