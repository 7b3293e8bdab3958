import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources } from '../support/sources.ts'

/** Files that may be longer, and why. */
const longer = [
  'server/src/contract/error-codes.ts', // a list: every error code
  'console/src/words.ts', // a list: every sentence of the console
]

test('a source file has at most 250 lines', () => {
  const long = [...allSources()]
    .filter(([file, text]) => /^(server|client|cli|console)\/src\//.test(file) && text.split('\n').length > 251)
    .map(([file]) => file)
    .filter((file) => !file.includes('/generated/'))
  assert.deepEqual(long.toSorted(), longer.toSorted())
})
