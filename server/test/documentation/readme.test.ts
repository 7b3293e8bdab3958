import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { Environment, readConfig } from '../../src/config.ts'
import { outcome } from '../processes.ts'
import { fences, pages, root, sessions } from './pages.ts'

const readme = pages[0]?.text ?? ''

test('every fence of every page is run, or says by its language text that it is not', () => {
  const known = [...Object.keys(sessions), 'text']
  const others = fences.filter(({ language }) => !known.includes(language))
  assert.deepEqual(
    others.map(({ page, line, language }) => `${page}:${line} is in '${language}'`),
    [],
  )
  const ticks = pages.flatMap(({ text }) => text.match(/^ *(```|~~~)/gm) ?? [])
  assert.deepEqual([ticks.length, new Set(ticks).size], [2 * fences.length, 1])
})

test('the README tells every setting and no other, each with its default', () => {
  const section = /^## Settings$[\s\S]*?(?=^## )/m.exec(readme)?.[0] ?? ''
  const cells = [...section.matchAll(/^\| (`.+?) \| (.+?) \| .+ \|$/gm)].map(([, names = '', defaults = '']) =>
    [names, defaults].map((cell) => cell.split(', ').map((word) => word.replaceAll('`', ''))),
  )
  const told = Object.fromEntries(
    cells.flatMap(([names = [], defaults = []]) => names.map((name, i) => [name, defaults[i] ?? ''])),
  )
  assert.deepEqual(Object.keys(told).sort(), Object.keys(Environment.shape).sort())
  for (const [name, value] of Object.entries(told)) {
    const unset = Environment.shape[name as keyof typeof told & keyof typeof Environment.shape].parse(undefined)
    if (value === 'none') assert.deepEqual(unset ?? [], [], name)
    else assert.deepEqual([readConfig({ [name]: value }), unset === undefined], [readConfig({}), false], name)
  }
})

test('whatever the README says of the code is where it says', () => {
  const tree = fences.find(({ text }) => text.startsWith('server/\n'))?.text ?? ''
  const exists = (path: string) => assert.ok(existsSync(root + path), `${path} does not exist`)
  const above: string[] = []
  for (const [, indent = '', names = '', told = ''] of tree.matchAll(/^( *)([\w./-]+(?: [\w./-]+)*)(?: +(.*))?$/gm)) {
    const folder = posix.join(...above.slice(0, indent.length / 2))
    const here = names.split(' ').filter((word) => /[./]/.test(word))
    for (const name of here) exists(posix.join(folder, name))
    above.splice(indent.length / 2, Number.POSITIVE_INFINITY, here[0] ?? '')
    // beside a folder stands what is in it, beside a file what is next to it
    const around = here[0]?.endsWith('/')
      ? posix.join(folder, here[0])
      : posix.join(folder, posix.dirname(here[0] ?? ''))
    for (const [path] of told.matchAll(/[\w-]+(?:\/[\w-]+)*(?:(?:\.\w+)*\.ts\b|\/)/g)) exists(posix.join(around, path))
  }
  assert.deepEqual(above, ['docs/decisions/'])
  const [, prose = ''] = readme.split('## The code')
  for (const [, path] of prose.matchAll(/`([\w-]+\/[\w./-]+\.ts)`/g)) exists(`server/src/${path}`)
})

test('every command and option named in passing is one of the command line, or a script of npm', async (t) => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const usage = (await outcome(t, ['--help'], {})).out.join('\n')
  for (const { name, text } of pages) {
    for (const [, script = ''] of text.matchAll(/npm run ([\w-]+)/g)) assert.ok(script in scripts, `${name}: ${script}`)
    for (const [, command] of text.matchAll(/npx taskwright ([a-z]+(?: create| revoke)?)/g)) {
      assert.match(usage, new RegExp(`^  ${command}\\b`, 'm'), name)
    }
  }
  for (const [, option = ''] of readme.matchAll(/`[^`\n]*(--[a-z-]+)/g)) assert.ok(usage.includes(option), option)
})

test('every link of a page to a file of this repository leads to one, and the README links to every page', () => {
  for (const { name } of pages.slice(1)) assert.ok(readme.includes(`](${name})`), name)
  for (const { name, text } of pages) {
    for (const [, to = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      assert.ok(existsSync(posix.join(root, posix.dirname(name), to)), `${name} links to ${to}`)
    }
  }
})
