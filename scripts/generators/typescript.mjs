import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { ensureInstalled } from '../install.mjs'

const folder = 'scripts/generators/typescript'
const packages = fileURLToPath(new URL('typescript/node_modules', import.meta.url))
const tsx = new URL('../../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href

export const generator = '@hey-api/openapi-ts'

/**
 * Generates a TypeScript client with a third-party generator, and lists all tasks with it.
 * @param scratch an empty folder
 * @returns the names of the tasks, in list order
 * @throws Error if the generator prints anything except its progress, or the code does not compile
 */
export function everyTask({ document, scratch, base, key }) {
  ensureInstalled({ folder })
  mkdirSync(scratch)
  const said = run(`${packages}/@hey-api/openapi-ts/bin/run.js`, ['-i', document, '-o', 'generated', '--no-log-file'])
  const complaints = said.split('\n').filter((line) => !progress.test(line))
  if (complaints.length > 0) throw new Error(`${generator} says:\n${complaints.join('\n')}`)
  writeFileSync(join(scratch, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(scratch, 'every-task.ts'), program)
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  run(`${packages}/typescript/bin/tsc`, ['-p', '.', '--pretty', 'false'])
  return JSON.parse(run('every-task.ts', [], ['--import', tsx], { BASE: base, KEY: key }))

  /** The output of a program, both streams. */
  function run(file, words, options = [], env = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, file, ...words], {
      ...{ cwd: scratch, encoding: 'utf8' },
      env: { PATH: process.env.PATH, ...env },
    })
    if (status !== 0) throw new Error(`${file} ended with ${status}:\n${stdout}${stderr}`)
    return stripVTControlCharacters(stdout + stderr)
  }
}

// the output of a successful run: the version, the input and the output folder
const progress = /^$|^@hey-api\/openapi-ts v|^\[Job 1\] +(~ Generating|\[1\] |✓ )/

const compilerOptions = {
  ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, noEmit: true, types: [] },
}

const program = `
import { createClient } from './generated/client'
import { tasksList } from './generated/sdk.gen'

declare const process: { env: Record<string, string> }
const { BASE, KEY } = process.env
const client = createClient({ baseUrl: BASE, auth: KEY })
const names: string[] = []
let cursor: string | undefined
do {
  const answer = await tasksList({ client, throwOnError: true, query: { limit: 10, ...(cursor ? { cursor } : {}) } })
  const { data, pagination }: typeof answer.data = answer.data
  names.push(...data.map(({ name }) => name))
  cursor = pagination.nextCursor ?? undefined
} while (cursor !== undefined)
console.log(JSON.stringify(names))
`
