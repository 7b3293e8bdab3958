import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSync, Visitor } from 'oxc-parser'
import { checkSync } from '../support/slow/recheck.ts'
import { allSources } from '../support/sources.ts'

interface Pattern {
  place: string
  source: string
  flags: string
  /** whether a comment above it says which bound makes it safe */
  isBounded: boolean
}

/** The regular expressions of a program, and the calls that make others. */
function patternsIn(file: string, text: string): { literals: Pattern[]; made: Pattern[] } {
  const { program, comments } = parseSync(file, text)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const bounds = comments.filter(({ value }) => /\bbounded: \S/.test(value)).map(({ end }) => lineOf(end))
  const found = { literals: [] as Pattern[], made: [] as Pattern[] }
  const patternAt = (offset: number, source: string, flags = '') => {
    const line = lineOf(offset)
    const isBounded = bounds.some((bound) => bound <= line && line - bound <= 4)
    return { place: `${file}:${line}`, source, flags, isBounded }
  }
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      found.literals.push(patternAt(node.start, node.regex.pattern, node.regex.flags))
    },
    NewExpression({ callee, start, end }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp')
        found.made.push(patternAt(start, text.slice(start, end)))
    },
  }).visit(program)
  return found
}

const isOfAProduct = (file: string) => /^(server|client|cli|console)\/src\//.test(file)
const programs = [...allSources()].filter(([file]) => isOfAProduct(file))
const patterns = programs.map(([file, text]) => patternsIn(file, text))

// steps are counted: by the clock a busy machine would find other patterns slow
const countingSteps = { timeout: null, attackTimeout: null, recallTimeout: -1, randomSeed: 1 }

test('every regular expression takes time linear in its input, or a comment says what bounds the input', () => {
  const literals = patterns.flatMap((one) => one.literals)
  assert.ok(literals.length > 300, `${literals.length} regular expressions`)
  // without a repetition there is nothing to try twice
  const repeating = literals.filter(({ source, isBounded }) => !isBounded && /[*+{]/.test(source))
  const unique = new Map(repeating.map((one) => [`/${one.source}/${one.flags}`, one]))
  const slow = [...unique].flatMap(([written, { place, source, flags }]) => {
    const { status, ...found } = checkSync(source, flags, countingSteps)
    return status === 'safe'
      ? []
      : [`${place} ${written} ${'complexity' in found ? found.complexity?.summary : status}`]
  })
  assert.deepEqual(slow, [])
})

test('every composed regular expression has a comment that says what bounds it', () => {
  const made = patterns.flatMap((one) => one.made)
  assert.deepEqual(
    made.filter(({ isBounded }) => !isBounded).map(({ place, source }) => `${place} ${source}`),
    [],
  )
})
