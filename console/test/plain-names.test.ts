import assert from 'node:assert/strict'
import { test } from 'node:test'
import { words } from '../src/words.ts'

test('a name turns no sentence around that it stands in', () => {
  const name = 'Nora\u202E\u2067 New\u2069'
  assert.equal(words.people.removeTitle(name), 'Remove Nora New?')
  assert.equal(words.board.running([name, 'Olga']), 'Time is running: Nora New, Olga')
  assert.equal(words.task.conflict.title(name), 'Nora New: two versions')
  // marks that turn nothing but themselves belong to some scripts
  assert.equal(
    words.people.removed('\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'),
    '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 is removed.',
  )
})
