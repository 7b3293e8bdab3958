import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { Environment, readConfig } from '../../src/config.ts'
import { outcome } from '../support/slow/processes.ts'
import { decisions, fences, pages, root, sessions } from './pages.ts'

const readme = pages[0]?.text ?? ''
const tests = readdirSync(`${root}server/test`, { recursive: true, encoding: 'utf8' })

test('every code block of every page is run, or is marked as text', () => {
  const known = [...Object.keys(sessions), 'text', 'mermaid']
  const others = fences.filter(({ language }) => !known.includes(language))
  assert.deepEqual(
    others.map(({ page, line, language }) => `${page}:${line} is in '${language}'`),
    [],
  )
  const ticks = pages.flatMap(({ text }) => text.match(/^ *(```|~~~)/gm) ?? [])
  assert.deepEqual([ticks.length, new Set(ticks).size], [2 * fences.length, 1])
})

test('the page of settings lists every setting and no other, each with its default', () => {
  const page = pages.find(({ name }) => name === 'docs/settings.md')?.text ?? ''
  const cells = [...page.matchAll(/^\| (`.+?) \| (.+?) \| .+ \|$/gm)].map(([, names = '', defaults = '']) =>
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

test('every setting that a page mentions is a setting, or a variable of something else', () => {
  // the changelog also names settings that are gone
  const current = pages.filter(({ name }) => name !== 'CHANGELOG.md')
  const others = /^(OTEL|TEST|TASKWRIGHT|XDG|POSTGRES)_|^NODE_EXTRA_CA_CERTS$|^(HTTPS?|ALL|NO)_PROXY$/
  const named = current.flatMap(({ name, text }) =>
    [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, variable = '']) => `${name}: ${variable}`),
  )
  assert.ok(named.length > 100)
  const unknown = named.filter((entry) => {
    const [, variable = ''] = entry.split(': ')
    return !(variable in Environment.shape || others.test(variable))
  })
  assert.deepEqual(unknown, [])
})

test('every file that a page names exists at that path, from the top or below server, its sources or its tests', () => {
  const tops = ['', 'server/', 'server/src/', 'server/test/']
  // written in a run, or beside what is checked in
  const made = /^(data|postgres|packed)\//
  for (const { name, text } of pages) {
    for (const [, path = ''] of text.matchAll(
      /[`\s(]((?:[\w.-]+\/)+(?:[\w-]+\.(?:ts|mjs|py|json|yaml|sql|sha256|md))?)(?=[`\s),.:;]|$)/gm,
    )) {
      if (!made.test(path))
        assert.ok(
          tops.some((top) => existsSync(root + top + path)),
          `${name} names ${path}`,
        )
    }
  }
})

test('the README of a folder names only files and folders that exist, and links only to files', () => {
  const readmes = ['server/src', 'server/test', 'scripts'].flatMap((top) =>
    readdirSync(root + top, { recursive: true, encoding: 'utf8' })
      .filter((name) => posix.basename(name) === 'README.md' && !name.includes('node_modules/'))
      .map((name) => posix.join(top, name)),
  )
  assert.ok(readmes.length > 10)
  for (const name of readmes) {
    const folder = posix.dirname(name)
    const text = readFileSync(root + name, 'utf8')
    for (const [, path = ''] of text.matchAll(/(?<![\w./-])((?:[\w-]+\/)*[\w-]+(?:\.ts|\.mjs|\/(?=[`\s])))/g)) {
      const places = [folder, 'server/src', ''].map((place) => posix.join(root, place, path))
      assert.ok(places.some(existsSync), `${name} names ${path}`)
    }
    for (const [, path = ''] of text.matchAll(/\]\(([^)#]+)/g))
      assert.ok(existsSync(posix.join(root, folder, path)), `${name} links to ${path}`)
  }
})

test('every command and option that a page mentions belongs to the command line, or is a script of npm', async (t) => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const usage = (await outcome(t, ['--help'], {})).out.join('\n')
  for (const { name, text } of pages) {
    for (const [, script = ''] of text.matchAll(/npm run ([\w-]+)/g)) assert.ok(script in scripts, `${name}: ${script}`)
    for (const [, parts = ''] of text.matchAll(/npm test --((?: [\w/-]+)+)/g)) {
      const files = parts.split(' ').filter((part) => part !== '' && !part.startsWith('--'))
      for (const part of files)
        assert.ok(
          tests.some((file) => file.includes(part)),
          `${name}: npm test -- ${part}`,
        )
    }
    for (const [, command] of text.matchAll(/`(?:node_modules\/\.bin\/)?taskwright ([a-z]+(?: create| revoke)?)/g)) {
      assert.match(usage, new RegExp(`^  ${command}\\b`, 'm'), name)
    }
  }
  // the other command line is held to its own pages
  const ofOperators = readme.replaceAll(/`tw [^`\n]*`/g, '')
  for (const [, option = ''] of ofOperators.matchAll(/`[^`\n]*(--[a-z-]+)/g)) assert.ok(usage.includes(option), option)
})

test('every link to a file of this repository leads to one, and to a heading in it if it names one', () => {
  for (const { name, text } of [...pages, ...decisions]) {
    for (const [, to = '', heading] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const path = to === '' ? name : posix.join(posix.dirname(name), to)
      assert.ok(existsSync(root + path), `${name} links to ${path}`)
      const headings = heading ? headingsIn(readFileSync(root + path, 'utf8')) : []
      if (heading) assert.ok(headings.includes(heading), `${name} links to #${heading}, and ${path} has ${headings}`)
    }
  }
})

test('the README links to every page', () => {
  for (const { name } of pages.slice(1)) assert.ok(readme.includes(`](${name})`), name)
})

/** The names by which a page on the web is opened at its headings. */
const headingsIn = (text: string) =>
  [...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
