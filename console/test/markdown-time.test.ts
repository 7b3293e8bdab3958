import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorUs } from '../../server/test/support/slow/processor-time.ts'
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
  'a\n> -\n',
  '> a\n> > -\n',
]
const hosts = ['((', '[', '"', '!', '*', "'", ')'].map((mark) => `http://a${mark}`)

test('reading a text of the maximum length takes time linear in its length, for every text', async () => {
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
    (length: number) => 'a\n> -\n'.repeat(200) + filled('a\n', length),
  ]
  const plain = filled('Some plain words that mean no harm. ')
  const plainTimes: number[] = []
  for (let n = 0; n < 20; n++) plainTimes.push(await readingMs(plain))
  const plainMs = Math.min(...plainTimes)
  for (const text of texts) {
    const [whole, part] = [text(most), text(most / 5)]
    let found = ''
    const isQuick = async () => {
      const [wholeMs, partMs] = [await readingMs(whole), await readingMs(part)]
      found = `${JSON.stringify(whole.slice(0, 20))}: ${wholeMs} ms, a fifth of it ${partMs} ms, plain words ${plainMs} ms`
      // a time that grows with the square would be 25 times as long; less than a few ms cannot be compared
      return wholeMs < 12 * Math.max(partMs, 5) && wholeMs < 1_500 * plainMs
    }
    // what else the machine does may slow down one of them
    assert.ok((await isQuick()) || (await isQuick()) || (await isQuick()), found)
  }
})

/** The processor time that it takes to read a text, in milliseconds. */
const readingMs = async (text: string) => (await processorUs(async () => readMarkdown(text))) / 1_000
