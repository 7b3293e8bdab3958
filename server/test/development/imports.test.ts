import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importsIn, refuseCircles } from '../support/imports.ts'

const root = new URL('../../../', import.meta.url)

test('no file of any package, script or test needs, by way of others, itself, be it only types', () => {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = names.split('\n').filter((file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(new URL(file, root)))
  assert.ok(files.length > 1_000)
  const ours = new Set(files)
  const needs = new Map(
    files.map((file) => {
      const imports = importsIn(file, readFileSync(new URL(file, root), 'utf8'))
      return [file, imports.map(({ from }) => from).filter((from) => ours.has(from))]
    }),
  )
  refuseCircles(files, (file) => needs.get(file) ?? [])
})
