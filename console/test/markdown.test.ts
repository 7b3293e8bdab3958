import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMarkdown } from '../src/views/task/markdown/reading.ts'

const most = 50_000

test('a table does not grow beyond its source', () => {
  const table = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'a\n'.repeat(90)}`
  assert.equal(readMarkdown(table)?.[0]?.type, 'table')
  assert.equal(readMarkdown(`${table}\n`.repeat(3)), undefined)
  assert.equal(readMarkdown(`${'|a'.repeat(1_000)}|\n${'|-'.repeat(1_000)}|\n${'a\n'.repeat(1_000)}`), undefined)
})

test('very deep nesting is not parsed', () => {
  const nested = ['> ', '- ', '1. ', '1) - ', '> 1. ']
  for (const mark of nested) {
    assert.notEqual(readMarkdown(`${mark.repeat(4)}a`), undefined, mark)
    assert.equal(readMarkdown(`${mark.repeat(40)}a`), undefined, mark)
  }
  const emphasis = (depth: number) => `${'*a **b '.repeat(depth)}${'c** d* '.repeat(depth)}`
  assert.notEqual(readMarkdown(emphasis(3)), undefined)
  assert.equal(readMarkdown(emphasis(40)), undefined)
})

test('a long harmless text is rendered', () => {
  const line = 'Some words, **bold** and [a link](https://example.com/a?b=c), `code` and _more_.\n'
  const text =
    `# Title\n\n${`${line.repeat(5)}\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`.repeat(200)}`.slice(0, most)
  const types = new Set(readMarkdown(text)?.map(({ type }) => type))
  for (const type of ['heading', 'paragraph', 'bullet_list', 'table']) assert.ok(types.has(type), type)
})

test('many quotations are rendered, unless each could end early and be read again', () => {
  const quotations = '> One line,\n> another line\nand its end\n\nAn answer.\n\n'.repeat(500)
  assert.equal(readMarkdown(quotations)?.filter(({ type }) => type === 'blockquote').length, 500)
  assert.equal(readMarkdown('a\n> -\n'.repeat(1_000)), undefined)
  assert.equal(readMarkdown('> a\n> > -\n'.repeat(1_000)), undefined)
})
