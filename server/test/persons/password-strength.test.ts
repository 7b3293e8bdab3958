import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weaknessOf } from '../../src/persons/password-strength.ts'

test('a password is judged by its first 64 characters, so that a long one does not keep the server busy', async () => {
  const strong = 'purple ferns gallop'
  assert.equal(await weaknessOf(strong + 'a'.repeat(237), []), undefined)
  assert.match(
    (await weaknessOf('a'.repeat(64) + strong, [])) ?? '',
    /^This password is easy to guess\. Repeated characters/,
  )
})

test('words of the person and the organization make a password weak, in any spelling', async () => {
  const known = ['Ann Example', 'ann.example@acme-widgets.test', 'Acme Widgets']
  for (const password of ['annexample2024!', 'AnnExample!!1', '4cm3W1dg3ts2024', 'Taskwright2024!', 'ann.example2024'])
    assert.match(
      (await weaknessOf(password, known)) ?? '',
      /^This password is easy to guess\. There should not be any personal/,
      password,
    )
  assert.equal(await weaknessOf('purple ferns gallop', known), undefined)
})
