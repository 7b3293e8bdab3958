import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsIn } from '../support/imports.ts'
import { allSources } from '../support/sources.ts'
import { isInTier, type Tier, tierFrom } from '../support/tiers.ts'

const texts = allSources()
const tests = [...texts].filter(([file]) => file.endsWith('.test.ts'))
const filesOf = (tier: Tier) => tests.filter(([file, text]) => isInTier(tier, file, text)).map(([file]) => file)

const needs = new Map(
  [...texts].map(([file, text]) => [file, importsIn(file, text).filter(({ typesOnly }) => !typesOnly)]),
)
// what the product does by itself is not what a test starts
const isOfTests = (file: string) => /\/test\//.test(file) || file.startsWith('scripts/')

/** The first way by which a file comes to something slow. */
function slowWay(file: string, done = new Set<string>()): string[] | undefined {
  if (done.has(file)) return undefined
  done.add(file)
  for (const { from } of needs.get(file) ?? []) {
    if (from === 'node:child_process' || from.includes('/support/slow/')) return [file, from]
    const way = isOfTests(from) && slowWay(from, done)
    if (way) return [file, ...way]
  }
  return undefined
}

test('a file is slow if it imports programs, browsers or anything of support/slow, and otherwise quick', () => {
  const name = 'server/test/tags.test.ts'
  for (const [from, isSlow] of [
    ['node:child_process', true],
    ['../support/slow/skewed.ts', true],
    ['../console/test/support/visits.ts', true],
    ['../support/world.ts', false],
  ] as const) {
    const text = `import { it } from '${from}'\n`
    assert.equal(isInTier('slow', name, text), isSlow, from)
    assert.equal(isInTier('quick', name, text), !isSlow, from)
    assert.ok(isInTier('all', name, text))
  }
})

test('a file whose properties have rounds is in both tiers', () => {
  const text = "import { rounds } from '../support/rounds.ts'\n"
  for (const tier of ['quick', 'slow'] as const) assert.ok(isInTier(tier, 'server/test/a.test.ts', text), tier)
})

test('each test file is in the quick tier or in the slow one', () => {
  const taken = new Set([...filesOf('quick'), ...filesOf('slow')])
  assert.ok(taken.size > 300)
  assert.deepEqual([...taken].toSorted(), filesOf('all').toSorted())
})

test('no quick file starts a program or browser through its imports, except for the first visits', () => {
  const wrong = filesOf('quick')
    .filter((file) => !file.includes('/first-visits/'))
    .map((file) => slowWay(file)?.join(' → '))
    .filter((way) => way !== undefined)
  assert.deepEqual(wrong, [], 'Move what starts programs to support/slow, and import it from there')
})

test('three visits of the console are quick', () => {
  const visits = filesOf('quick').filter((file) => texts.get(file)?.includes('/support/visits.ts'))
  assert.equal(visits.length, 3, visits.join())
})

test('another PostgreSQL runs the quick tests of the server that have a database, and all of db, lists and search', () => {
  const world = "import { sharedServer } from '../support/world.ts'\n"
  const slow = "import { fillUnevenly } from '../support/slow/skewed.ts'\n"
  for (const [name, text, isAsked] of [
    ['server/test/resources/tags.test.ts', world, true],
    ['server/test/resources/tags.test.ts', '', false],
    ['server/test/resources/tags.test.ts', world + slow, false],
    ['server/test/lists/plans.test.ts', world + slow, true],
    ['client/test/pages.test.ts', world, false],
  ] as const)
    assert.equal(isInTier('database', name, text), isAsked, `${name}: ${text}`)
})

test('a word that is not a tier is refused', () => {
  assert.equal(tierFrom('--tier=slow', 'quick'), 'slow')
  assert.equal(tierFrom(undefined, 'quick'), 'quick')
  assert.throws(() => tierFrom('--tier=fast', 'quick'), /fast is no tier/)
})
