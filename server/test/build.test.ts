import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  appendFile,
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterwards } from './support/afterwards.ts'
import { ordinaryAccount } from './support/slow/cluster.ts'

const server = fileURLToPath(new URL('../', import.meta.url))

test('the first start builds the program from the sources once, also when several start at once', async (t) => {
  const clone = await cloned(t)
  const all = await Promise.all([1, 2, 3].map(() => clone.run('--help')))
  for (const { stdout } of all) assert.match(stdout, /^taskwright <command>/)
  assert.deepEqual((await readdir(join(clone.folder, 'dist'))).sort(), [
    'console',
    'taskwright.cjs',
    'taskwright.cjs.map',
  ])
  await appendFile(clone.program, '\nconsole.log("the same program")\n')
  assert.match((await clone.run('--help')).stdout, /the same program/)
})

test('a changed source changes the program at the next start', async (t) => {
  const clone = await builtClone(t)
  assert.match((await clone.run('--help')).stdout, /^taskwright <command>/)
  const source = join(clone.folder, 'src/cli.ts')
  const text = await readFile(source, 'utf8')
  await writeFile(source, text.replace('taskwright <command>', 'taskwright <what to do>'))
  const soon = new Date(Date.now() + 1_000)
  await utimes(source, soon, soon)
  assert.match((await clone.run('--help')).stdout, /^taskwright <what to do>/)
})

test('a source that cannot be built is reported with its line, and the program starts once it can be built', async (t) => {
  const clone = await cloned(t)
  const source = join(clone.folder, 'src/cli.ts')
  const text = await readFile(source, 'utf8')
  await writeFile(source, `const = 3\n${text}`)
  await assert.rejects(clone.run('--help'), ({ stderr, code }: { stderr: string; code: number }) => {
    assert.match(stderr, /src\/cli\.ts:1:6:\n[\s\S]*\nThe sources cannot be built: see above\.\n$/)
    return code === 1
  })
  await writeFile(source, text)
  assert.match((await clone.run('--help')).stdout, /^taskwright <command>/)
})

test('errors name files and lines of the sources', async (t) => {
  const clone = await cloned(t)
  const source = join(clone.folder, 'src/cli.ts')
  const text = await readFile(source, 'utf8')
  const start = text.indexOf('  try {')
  await writeFile(source, `${text.slice(0, start)}  throw new Error('on purpose')\n${text.slice(start)}`)
  const line = text.slice(0, start).split('\n').length
  await assert.rejects(clone.run('--help'), ({ stderr }: { stderr: string }) => {
    assert.match(stderr, new RegExp(`Error: on purpose\\n +at \\S+ \\(\\S+/src/cli\\.ts:${line}:`))
    return true
  })
})

test('a command loads only the libraries that it needs: --help and --version none, commands beside a server not those of the server', async (t) => {
  const clone = await builtClone(t)
  for (const words of [['--help'], ['--version'], ['brew']]) assert.deepEqual(await clone.librariesOf(words), [])
  const ofCommands = await clone.librariesOf(['key', 'list'])
  assert.deepEqual(
    ['fastify', 'pg', 'pino', 'prom-client', 'zod'].filter((name) => ofCommands.includes(name)),
    ['pg', 'zod'],
  )
})

test('the program runs without the sources, as it is published', async (t) => {
  const clone = await builtClone(t)
  for (const name of ['src', 'build.mjs']) await rm(join(clone.folder, name), { recursive: true })
  assert.match((await clone.run('--help')).stdout, /^taskwright <command>/)
})

test('an unwritable clone that was never built gets a message; a built one runs', async (t) => {
  const account = await ordinaryAccount(t)
  if (!account) return
  const clone = await cloned(t)
  for (const folder of [join(clone.folder, '..'), clone.folder]) await chmod(folder, 0o555)
  const run = () => promisify(execFile)(process.execPath, [clone.bin, '--help'], { ...account, cwd: '/' })
  await assert.rejects(run(), ({ stderr, code }: { stderr: string; code: number }) => {
    const sentence = `^The program must be made of its sources, and user id ${account.uid} cannot write in ${clone.folder}/`
    assert.match(stderr, new RegExp(`${sentence} .*, then start again\\.\n$`))
    return code === 1
  })
  await chmod(clone.folder, 0o755)
  await clone.takeProgram()
  await chmod(clone.folder, 0o555)
  assert.match((await run()).stdout, /^taskwright <command>/)
  await chmod(clone.folder, 0o755)
})

/** One whose program is there, which a start takes more than a second to make. */
async function builtClone(t: TestContext) {
  const clone = await cloned(t)
  await clone.takeProgram()
  return clone
}

/** The package of the server as a clone has it, with the libraries that are installed here. */
async function cloned(t: TestContext) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'taskwright-clone-')))
  afterwards(t, () => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'server')
  for (const name of ['bin', 'src', 'migrations', 'docs-page', 'build.mjs', 'package.json']) {
    await cp(join(server, name), join(folder, name), { recursive: true })
  }
  for (const name of ['console', 'client']) await cp(join(server, '..', name), join(root, name), { recursive: true })
  // the console's own settings are beside those of all
  await cp(join(server, '../tsconfig.json'), join(root, 'tsconfig.json'))
  await symlink(join(server, '../node_modules'), join(root, 'node_modules'))
  const bin = join(folder, 'bin/taskwright.mjs')
  const run = (...words: string[]) => promisify(execFile)(process.execPath, [bin, ...words])
  const program = join(folder, 'dist/taskwright.cjs')
  /** what a command loads, which finds no database */
  const librariesOf = async (words: readonly string[]): Promise<string[]> => {
    const told = `
      const output = { say() {}, print() {} }
      const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
      require(${JSON.stringify(program)}).run(${JSON.stringify(words)}, { settings, output }).then(() => {
        const within = Object.keys(require.cache).map((file) => /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1])
        console.log(JSON.stringify([...new Set(within.filter(Boolean))].sort()))
      })`
    return JSON.parse((await promisify(execFile)(process.execPath, ['-e', told])).stdout)
  }
  /** what the run has made of the same sources */
  const takeProgram = () => cp(join(server, 'dist'), join(folder, 'dist'), { recursive: true })
  return { folder, bin, program, run, librariesOf, takeProgram }
}
