import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weaknessOf } from '../../src/persons/password-strength.ts'

test('the longest password takes about as long to judge as its beginning, however hard it is', async () => {
  await weaknessOf('the dictionaries are loaded now', [])
  const fastest = async (password: string) => {
    const times = []
    for (let round = 0; round < 5; round++) {
      const begun = performance.now()
      await weaknessOf(password, ['Ann Example', 'ann@example.com'])
      times.push(performance.now() - begun)
    }
    return Math.min(...times)
  }
  // unbounded, the whole takes ten times as long and more
  for (const hard of ['pa$$w0rd1!', 'aso41701aitoi73513te', '12']) {
    const long = hard.repeat(200).slice(0, 256)
    const [part, whole] = [await fastest(long.slice(0, 64)), await fastest(long)]
    assert.ok(whole < 3 * part + 20, `${hard}: ${part} ms, ${whole} ms`)
  }
})

test('words of the person and the organization make a password weak, in any spelling', async () => {
  const known = ['Ann Example', 'ann.example@acme-widgets.test', 'Acme Widgets']
  for (const password of ['annexample2024!', 'AnnExample!!1', '4cm3W1dg3ts2024', 'Taskwright2024!', 'ann.example2024'])
    assert.match(
      (await weaknessOf(password, known)) ?? '',
      /^Is easy to guess\. There should not be any personal/,
      password,
    )
  assert.equal(await weaknessOf('purple ferns gallop', known), undefined)
})
