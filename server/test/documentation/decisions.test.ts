import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisions } from './pages.ts'

const [index] = decisions.filter(({ name }) => name.endsWith('/README.md'))
const pages = decisions.filter((page) => page !== index)

test('the index of decisions lists each of them once, under its title', () => {
  const listed = [...(index?.text ?? '').matchAll(/^- (\d{4}) \[(.+)\]\((.+)\)$/gm)]
  const entries = listed.map(([, number, title, file]) => `${file}: # ${number} ${title}`)
  const titles = pages.map(({ name, text }) => `${name.split('/').at(-1)}: ${text.split('\n')[0]}`)
  assert.ok(pages.length > 20)
  assert.deepEqual(entries.toSorted(), titles.toSorted())
})

test('a decision has the title `Area: what was decided`, says why and what it costs, and has under 40 lines', () => {
  for (const { name, text } of pages) {
    assert.match(text, /^# \d{4} [A-Z][^:]*: .+\n/, name)
    for (const part of ['Context', 'Decision', 'Consequences'])
      assert.ok(text.includes(`**${part}`), `${name}: ${part}`)
    assert.ok(text.trimEnd().split('\n').length < 40, `${name} has 40 lines or more`)
  }
})
