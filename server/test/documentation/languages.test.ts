import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { sharedServer } from '../support/world.ts'
import { pages } from './pages.ts'

const server = await sharedServer()
const page = pages.find(({ name }) => name === 'docs/languages.md')?.text ?? ''

/** The program that the page has below a heading. */
const programBelow = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.match(/```text\n([\s\S]*?)```/)?.[1] ?? ''

async function run(t: TestContext, program: string, words: readonly string[], file: string, code: string) {
  const { owner } = await server.newWorld()
  const folder = mkdtempSync(join(tmpdir(), 'program-'))
  writeFileSync(join(folder, file), code)
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, TASKWRIGHT_URL: server.base, TASKWRIGHT_API_KEY: owner.key }
  const { stdout } = await promisify(execFile)(program, [...words, join(folder, file)], { env, signal: t.signal })
  return stdout
}

const isThere = (program: string, ...words: string[]) => spawnSync(program, words).status === 0

test('the Python program runs as it is written', async (t) => {
  if (!isThere('python3', '-c', 'import requests')) return t.skip('python3 with requests is missing')
  assert.equal(await run(t, 'python3', [], 'program.py', programBelow('In Python')), 'Pick high\nPrune none\n')
})

test('the Python program also runs with httpx', async (t) => {
  if (!isThere('python3', '-c', 'import httpx')) return t.skip('python3 with httpx is missing')
  const program = programBelow('In Python').replace('import requests', 'import httpx')
  const withHttpx = program.replace('requests.Session()', 'httpx.Client()')
  assert.equal(await run(t, 'python3', [], 'program.py', withHttpx), 'Pick high\nPrune none\n')
})

test('the page names the generator versions that the gate tests', () => {
  const tried = ['python.mjs', 'go.mjs'].map((name) =>
    readFileSync(new URL(`../../../scripts/generators/${name}`, import.meta.url), 'utf8'),
  )
  const versions = tried.join('').match(/(?<=')[\w./-]+(==|@)v?[\d.]+(?=')/g) ?? []
  assert.equal(versions.length, 3)
  for (const version of versions) assert.ok(page.includes(version), version)
})

test('the Go program runs as it is written', async (t) => {
  if (!isThere('go', 'version')) return t.skip('go is missing')
  assert.equal(await run(t, 'go', ['run'], 'main.go', programBelow('In Go')), 'Prune high\n')
})
