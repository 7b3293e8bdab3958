import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '../../server/test/support/rounds.ts'
import { readMarkdown } from '../src/views/task/markdown/reading.ts'

const most = 50_000
const filled = (text: string, length = most) => text.repeat(length / text.length)

const marks =
  '[ a* a_ 1. a\\n-\\n |- [a][ `a ``a`b ![ ]( [a]( <a <!-- & \\\\ _ ~~a **a _a* http:// www. a@b. a. |a | " ( || [a\\n >\\n >\\na\\n -\\t *\\n'
    .split(' ')
    .map((mark) => mark.replaceAll('\\n', '\n').replaceAll('\\t', '\t'))
const lines = [
  '1. - ',
  '- a\n',
  '- a\n  - b\n',
  '[a]: b\n',
  '|a|\n|-|\n',
  '<div\n',
  'a@b.c ',
  '    a\n',
  'a\n\n',
  '> - ',
]
const hosts = ['((', '[', '"', '!', '*', "'", ')'].map((mark) => `http://a${mark}`)

test('every text of the greatest length is read in a time that does not grow faster than the text', () => {
  const texts = [
    ...[...marks, ...lines, ...hosts].map((mark) => (length: number) => filled(mark, length)),
    (length: number) => `${filled('a._', length)}@`,
    (length: number) => `http://a${filled(')', length)}`,
    (length: number) => `a${filled(' ', length)}b`,
    (length: number) => `[a](<${filled('<', length)}`,
    (length: number) => `${filled('*a **b ', length / 2)}${filled('c** d*', length / 2)}`,
    (length: number) => `${filled('[', length / 4)}a${filled('](b)', (length * 3) / 4)}`,
    (length: number) => `|${filled('-|', length / 2)}\n${filled('a\n', length / 2)}`,
    (length: number) => filled('a\n', length / 2) + filled('[a]: b\n', length / 2),
  ]
  const plainMs = least(Array.from({ length: 20 }, () => readingMs(filled('Some plain words that mean no harm. '))))
  for (const text of texts.filter((_, n) => n % rounds(6, 1) === 0)) {
    const [whole, part] = [text(most), text(most / 5)]
    let found = ''
    const isQuick = () => {
      const [wholeMs, partMs] = [readingMs(whole), readingMs(part)]
      found = `${JSON.stringify(whole.slice(0, 20))}: ${wholeMs} ms, a fifth of it ${partMs} ms, plain words ${plainMs} ms`
      // a time that grows with the square would be 25 times as long; less than a few ms cannot be compared
      return wholeMs < 12 * Math.max(partMs, 5) && wholeMs < 1_500 * plainMs
    }
    // what else the machine does may slow down one of them
    assert.ok(isQuick() || isQuick() || isQuick(), found)
  }
})

const least = (times: readonly number[]) => Math.min(...times)

/** The processor time that it takes to read a text. */
function readingMs(text: string): number {
  const before = process.cpuUsage()
  readMarkdown(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

test('a table does not grow beyond what was written of it', () => {
  const table = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'a\n'.repeat(90)}`
  assert.equal(readMarkdown(table)?.[0]?.type, 'table')
  assert.equal(readMarkdown(`${table}\n`.repeat(3)), undefined)
  assert.equal(readMarkdown(`${'|a'.repeat(1_000)}|\n${'|-'.repeat(1_000)}|\n${'a\n'.repeat(1_000)}`), undefined)
})

test('what nests deeper than anybody reads is not taken apart', () => {
  const nested = ['> ', '- ', '1. ', '1) - ', '> 1. ']
  for (const mark of nested) {
    assert.notEqual(readMarkdown(`${mark.repeat(4)}a`), undefined, mark)
    assert.equal(readMarkdown(`${mark.repeat(40)}a`), undefined, mark)
  }
  const emphasis = (depth: number) => `${'*a **b '.repeat(depth)}${'c** d* '.repeat(depth)}`
  assert.notEqual(readMarkdown(emphasis(3)), undefined)
  assert.equal(readMarkdown(emphasis(40)), undefined)
})

test('a long text that means no harm is read', () => {
  const line = 'Some words, **bold** and [a link](https://example.com/a?b=c), `code` and _more_.\n'
  const text =
    `# Title\n\n${`${line.repeat(5)}\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`.repeat(200)}`.slice(0, most)
  const types = new Set(readMarkdown(text)?.map(({ type }) => type))
  for (const type of ['heading', 'paragraph', 'bullet_list', 'table']) assert.ok(types.has(type), type)
})
