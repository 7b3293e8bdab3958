import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsIn, refuseCircles } from '../support/imports.ts'
import { allSources } from '../support/sources.ts'

test('no file of any package, script or test imports itself through others, not even types', () => {
  const texts = allSources()
  assert.ok(texts.size > 1_000)
  const needs = new Map(
    [...texts].map(([file, text]) => [
      file,
      importsIn(file, text)
        .map(({ from }) => from)
        .filter((from) => texts.has(from)),
    ]),
  )
  refuseCircles([...texts.keys()], (file) => needs.get(file) ?? [])
})
