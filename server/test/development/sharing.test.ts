import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { afterwards } from '../support/afterwards.ts'
import { sharedProcesses, standsAlone, waits } from '../support/sharing.ts'

const imports = "import { after, test } from 'node:test'\n"
const tells = (name: string) => `${imports}
  console.error('begin ${name}')
  await undefined
  after(() => console.error('end ${name}'))
  test('of ${name}', async () => {
    for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate)
    console.error('test ${name}')
  })`

test('a file in a shared process is over with all its work when the next one begins', async (t) => {
  const { run } = await shared(t, { one: tells('one'), two: tells('two') })
  const { code, told, unfinished } = await run()
  assert.deepEqual(told, ['begin one', 'test one', 'end one', 'begin two', 'test two', 'end two'])
  assert.deepEqual({ code, unfinished }, { code: 0, unfinished: [] })
})

test('a file that cannot be read fails by its name, and the files after it run', async (t) => {
  const { run } = await shared(t, { one: `await undefined; throw new Error('unreadable')`, two: tells('two') })
  const { code, out, told, unfinished } = await run()
  assert.match(out, /^not ok 1 - one\.test\.ts$/m)
  assert.deepEqual(told, ['begin two', 'test two', 'end two'])
  assert.deepEqual({ code, unfinished }, { code: 1, unfinished: [] })
})

test('a file in which its process ends, even with success, is named', async (t) => {
  const ends = `${imports} test('ends', () => process.exit(0))`
  const { run } = await shared(t, { one: tells('one'), two: ends, three: tells('three') })
  const { told, unfinished } = await run()
  assert.deepEqual(told, ['begin one', 'test one', 'end one'])
  assert.deepEqual(unfinished, ['two.test.ts'])
})

test('a file that does not end fails by its name, and the files after it run', async (t) => {
  const hangs = `${imports} test('hangs', () => new Promise((resolve) => setTimeout(resolve, 600_000)))`
  const { run } = await shared(t, { one: hangs, two: tells('two') }, { bounds: { file: 10_000, end: 1_000 } })
  const { code, out, told } = await run()
  assert.match(out, /^not ok 1 - one\.test\.ts$/m)
  assert.deepEqual(told.slice(0, 3), ['begin two', 'test two', 'end two'])
  assert.equal(code, 1)
})

test('a process that continues after its last test is ended, with the names of its files and what continues', async (t) => {
  const goesOn = `${imports} test('leaves a timer', () => void setInterval(() => {}, 1_000))`
  const { run } = await shared(t, { one: tells('one'), two: goesOn }, { bounds: { file: 60_000, end: 100 } })
  const { code, told } = await run()
  assert.match(told.at(-1) ?? '', /^Behind the tests of one\.test\.ts, two\.test\.ts this goes on: .*'Timeout'/)
  assert.equal(code, 1)
})

test('a test file that changes or measures a process runs in a process of its own', () => {
  for (const text of [
    "process.env.PORT = '1'",
    'delete process.env.PORT',
    "process.on('warning')",
    'process.memoryUsage()',
    't.mock.method(Date)',
    'performance.now()',
    'newId(Date.now() + 1)',
  ])
    assert.ok(standsAlone(text), text)
  for (const text of ['spawn(process.execPath)', 'env: process.env', 'process.kill(pid)'])
    assert.ok(!standsAlone(text), text)
  assert.ok(!standsAlone("import { startServer } from '../support/world.ts'\ntest('a process is none', () => {})"))
})

test('few of the files that wait for other processes share one', async (t) => {
  for (const text of ["from 'node:child_process'", "from '../support/slow/processes.ts'"]) assert.ok(waits(text), text)
  const texts = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`file${n}`, tells(`file${n}`)]))
  assert.equal((await shared(t, texts, { kind: { waits: true } })).entries.length, 3)
  assert.equal((await shared(t, texts)).entries.length, 1)
})

interface Sharing {
  kind?: { waits: boolean }
  bounds?: Parameters<typeof sharedProcesses>[3]
}

/** Files of tests in one process, those that need none of their own. */
async function shared(
  t: TestContext,
  texts: Record<string, string>,
  { kind = { waits: false }, bounds }: Sharing = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-sharing-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  const files = await Promise.all(
    Object.entries(texts).map(async ([name, text]) => {
      const built = join(folder, `${name}.mjs`)
      await writeFile(built, text)
      return { name: `${name}.test.ts`, built, alone: false, browses: false, ...kind }
    }),
  )
  const { entries, unfinished } = await sharedProcesses(files, join(folder, 'shared'), 1, bounds)
  const run = async () => {
    const { NODE_TEST_CONTEXT, ...env } = process.env
    const words = ['--test-reporter=tap', entries[0] ?? '']
    const { code, stdout, stderr } = await promisify(execFile)(process.execPath, words, { env }).then(
      (output) => ({ code: 0, ...output }),
      (failure) => failure,
    )
    const told = stderr.split('\n').filter((line: string) => line !== '')
    return { code, out: stdout, told, unfinished: await unfinished() }
  }
  return { run, entries }
}
