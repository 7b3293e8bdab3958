import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isInTier } from '../support/tiers.ts'
import { pages, root } from './pages.ts'

const page = pages.find(({ name }) => name === 'docs/contract.md')?.text ?? ''

/** The promises by their numbers, each with the tests that are said to hold it. */
const promises = page
  .split(/^(?=- \*\*)/m)
  .slice(1)
  .map((text) => ({
    number: /^- \*\*([\d.]+)\*\*/.exec(text)?.[1] ?? '',
    tests: [...text.matchAll(/^ {2}- `(.+?)` (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title })),
  }))
const sections = [...page.matchAll(/^## (\d+) /gm)].map(([, number = '']) => number)
const numbers = new Set([...sections, ...promises.map(({ number }) => number)])

/** The titles of the tests of a file, `…` for what differs from case to case. */
function titlesIn(file: string): string[] {
  const path = `${root}server/test/${file}`
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return [...text.matchAll(/\btest\(\s*(['"`])(.+?)\1,\s/gs)].map(([, , written = '']) => {
    let title = written.replace(/\\(.)/g, '$1')
    // from the inside to the outside
    for (const inner = /\$\{[^{}]*\}/g; inner.test(title); ) title = title.replace(inner, '…')
    return title.replace(/…+/g, '…')
  })
}

test('every promise of the contract names the tests that hold it, and each of them exists under that title', () => {
  assert.ok(promises.length > 100)
  for (const { number, tests } of promises) {
    assert.ok(tests.length > 0, `§${number} is held by no test`)
    for (const { file, title } of tests)
      assert.ok(titlesIn(file).includes(title), `§${number}: ${file} has no test '${title}'`)
  }
})

/** What only a first start, a proxy, a failover, a client beside ours or a backup can show: the quick tests hold none of it. */
const heldBySlowTests = ['1.6', '1.8', '10.15', '11.4', '16.1', '16.2', '16.3']

test('every promise is held by a quick test, except those that need programs', () => {
  const isQuick = ({ file }: { file: string }) =>
    isInTier('quick', `server/test/${file}`, readFileSync(`${root}server/test/${file}`, 'utf8'))
  const others = promises.filter(({ tests }) => !tests.some(isQuick))
  assert.deepEqual(
    others.map(({ number }) => number),
    heldBySlowTests,
  )
})

test('the promises of each section are numbered from 1 without gaps, in their order', () => {
  assert.deepEqual(
    promises.map(({ number }) => number),
    sections.flatMap((section) => {
      const count = promises.filter(({ number }) => number.startsWith(`${section}.`)).length
      return Array.from({ length: count }, (_, i) => `${section}.${i + 1}`)
    }),
  )
})

test('every number of the contract that code or a page refers to exists', () => {
  const code = ['server/src', 'server/test'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ name, text: readFileSync(`${root}${folder}/${name}`, 'utf8') })),
  )
  const referred = [...code, ...pages].flatMap(({ name, text }) =>
    [...text.matchAll(/(\S*contract(?:\.md)?) §([\d.]*\d)/g)].map(([, where, number = '']) => ({
      name,
      where,
      number,
    })),
  )
  assert.ok(referred.length > 0)
  for (const { name, where, number } of referred) {
    assert.ok(where?.endsWith('docs/contract.md'), `${name} refers to ${where}, which is no file of this repository`)
    assert.ok(numbers.has(number), `${name} refers to §${number}, which is not in docs/contract.md`)
  }
  for (const [, number = ''] of page.matchAll(/§([\d.]*\d)/g))
    assert.ok(numbers.has(number), `The contract refers to its §${number}, which it does not have`)
})
