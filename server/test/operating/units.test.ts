import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Environment } from '../../src/config.ts'
import { root } from '../documentation/pages.ts'
import { afterwards } from '../support/afterwards.ts'

const unit = readFileSync(`${root}ops/systemd/taskwright.service`, 'utf8')

test('the unit for systemd leaves open no more than what it names', (t) => {
  const { status, stdout } = analyze(
    t,
    'security',
    '--offline=true',
    '--threshold=11',
    '--no-pager',
    `${root}ops/systemd/taskwright.service`,
  )
  if (status === undefined) return
  assert.equal(status, 0, stdout)
})

test('systemd understands every line of the unit', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-unit-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  const path = join(folder, 'taskwright.service')
  // the program is not installed where the tests run
  await writeFile(path, unit.replace('/opt/taskwright/bin/taskwright serve', process.execPath))
  const { status, stderr } = analyze(t, 'verify', '--man=no', path)
  if (status === undefined) return
  assert.deepEqual([status, stderr], [0, ''])
})

test('the files for operators set nothing that is no setting', () => {
  const known = Object.keys(Environment.shape)
  const set = [
    ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) => words.match(/\w+(?==)/g) ?? []),
    ...(readFileSync(`${root}ops/kubernetes/taskwright.yaml`, 'utf8').match(/(?<=- \{ name: )[A-Z_]+(?=, value)/g) ??
      []),
    ...(readFileSync(`${root}ops/compose.yaml`, 'utf8').match(/^ {6}(?!POSTGRES)[A-Z_]+(?=:)/gm) ?? []).map((name) =>
      name.trim(),
    ),
    ...(/^ENV ([\s\S]*?[^\\])$/m
      .exec(readFileSync(`${root}ops/container/Containerfile`, 'utf8'))?.[1]
      ?.match(/\w+(?==)/g) ?? []),
  ]
  assert.ok(set.length > 8, set.join())
  const others = set.filter((name) => !known.includes(name))
  assert.deepEqual(new Set(others), new Set(['NODE_ENV', 'PATH']))
})

function analyze(t: TestContext, ...words: string[]) {
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  if (error) t.skip('systemd-analyze is missing')
  return { status: error ? undefined : status, stdout, stderr }
}
