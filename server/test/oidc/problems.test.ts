import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { oidcProblems } from '../../src/oidc/problem.ts'

test('docs/single-sign-on.md says what to do about each failure', () => {
  const page = readFileSync(new URL('../../../docs/single-sign-on.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)].map(([, code, sentence]) => [code, sentence])
  const said = rows.filter(([code = '']) => Object.hasOwn(oidcProblems, code))
  assert.deepEqual(Object.fromEntries(said), oidcProblems)
})

test('the console has a sentence for each failure', () => {
  const words = readFileSync(new URL('../../../console/src/sign-in/sign-in-words.ts', import.meta.url), 'utf8')
  const errors = words.slice(words.indexOf('errors: {'), words.indexOf('signInAgain: {'))
  const codes = [...errors.matchAll(/^ {6}(\w+):/gm)].map(([, code = '']) => code)
  assert.deepEqual(
    Object.keys(oidcProblems).filter((code) => !codes.includes(code)),
    [],
  )
})
