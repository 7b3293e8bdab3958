import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from '../documentation/pages.ts'

test('the editor configuration matches the format that Biome requires', () => {
  const { formatter } = JSON.parse(readFileSync(`${root}biome.json`, 'utf8'))
  const [general = ''] = readFileSync(`${root}.editorconfig`, 'utf8').split(/\n(?=\[(?!\*\]))/)
  const told = Object.fromEntries([...general.matchAll(/^(\w+) = (\w+)$/gm)].map(([, name, value]) => [name, value]))
  const { indent_style: indentStyle, indent_size: indentWidth, max_line_length: lineWidth } = told
  assert.deepEqual({ indentStyle, indentWidth: Number(indentWidth), lineWidth: Number(lineWidth) }, formatter)
})
