import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole, sources as consoleSources } from '../console/build.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const sources = `${here}src`
const inputs = [`${here}build.mjs`, sources, ...consoleSources]
const program = `${here}dist/taskwright.cjs`

/** The program is not there, and cannot be made, in one plain sentence. */
export class Unbuildable extends Error {}

/** Where the program is, in JavaScript that Node runs as it is: made from the sources, with the console, when these are newer. */
export async function builtProgram() {
  if (isStale()) await build()
  return program
}

function isStale() {
  const built = statSync(program, { throwIfNoEntry: false })
  return built === undefined || Math.max(...inputs.map(changedMs)) >= built.mtimeMs
}

// when something was written, or in a folder added or removed; `recursive` of readdirSync takes ten times as long
function changedMs(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changedMs(`${path}/${name}`)))
}

async function build() {
  refuseUnwritable()
  const esbuild = await import('esbuild')
  // another process may be starting: it finds the program before or the one after, never half of one
  const made = `${here}dist-${process.pid}`
  try {
    await Promise.all([buildProgram(esbuild, made), buildConsole(esbuild, `${made}/console`)]).catch((error) => {
      // of a source it has said so itself, with the line
      throw error.errors?.length ? new Unbuildable('The sources cannot be built: see above.') : error
    })
    replaceConsole(`${made}/console`)
    const files = ['taskwright.cjs.map', 'taskwright.cjs']
    for (const file of files) renameSync(`${made}/${file}`, `${here}dist/${file}`)
    for (const name of readdirSync(`${here}dist`))
      if (![...files, 'console'].includes(name)) rmSync(`${here}dist/${name}`, { force: true })
  } finally {
    // else its process stays as long as this one
    await esbuild.stop()
    rmSync(made, { recursive: true, force: true })
  }
}

function buildProgram(esbuild, folder) {
  return esbuild.build({
    entryPoints: [`${sources}/cli.ts`],
    outfile: `${folder}/taskwright.cjs`,
    // in this format a file that is imported when it is needed, and a library with it, is loaded then and not before
    ...{ bundle: true, packages: 'external', platform: 'node', format: 'cjs', target: 'node20.19' },
    ...{ sourcemap: 'linked', sourcesContent: false, logLevel: 'warning' },
    plugins: [placed],
  })
}

/** Puts its files where they are served from: what names the others comes last, and then the former ones go. */
function replaceConsole(made) {
  const folder = `${here}dist/console`
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(made).filter((name) => name !== 'files.json')
  for (const name of [...names, 'files.json']) renameSync(`${made}/${name}`, `${folder}/${name}`)
  for (const name of readdirSync(folder))
    if (name !== 'files.json' && !names.includes(name)) rmSync(`${folder}/${name}`, { force: true })
}

function refuseUnwritable() {
  try {
    for (const folder of [here, `${here}dist`, `${here}dist/console`])
      if (existsSync(folder)) accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new Unbuildable(
      `The program must be made of its sources, and user id ${process.geteuid?.()} cannot write in ${error.path} ` +
        `(${error.code}): run "npm run taskwright" in this clone once as somebody who can, then start again.`,
    )
  }
}

// what lies beside the sources is found by where the source stands, also from within the program
const placed = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = `new URL(${JSON.stringify(`../${relative(here, path)}`)}, require('node:url').pathToFileURL(__filename)).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', place), loader: 'ts' }
    })
  },
}
