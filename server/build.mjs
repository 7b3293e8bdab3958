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
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const sources = `${here}src`
const program = `${here}dist/taskwright.js`

/** The program is not there, and cannot be made, in one plain sentence. */
export class Unbuildable extends Error {}

/** Where the program is, in JavaScript that Node runs as it is: made from the sources when these are newer. */
export async function builtProgram() {
  if (isStale()) await build()
  return pathToFileURL(program).href
}

function isStale() {
  const built = statSync(program, { throwIfNoEntry: false })
  return built === undefined || Math.max(statSync(`${here}build.mjs`).mtimeMs, changedMs(sources)) >= built.mtimeMs
}

// when something in a folder was written, added or removed; `recursive` of readdirSync takes ten times as long
function changedMs(folder) {
  const changes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? changedMs(path) : statSync(path).mtimeMs
  })
  return Math.max(statSync(folder).mtimeMs, ...changes)
}

async function build() {
  refuseUnwritable()
  const esbuild = await import('esbuild')
  // another process may be starting: it finds the program before or the one after, never half of one
  const made = `${here}dist-${process.pid}`
  try {
    await esbuild
      .build({
        entryPoints: [`${sources}/cli.ts`],
        outfile: `${made}/taskwright.js`,
        ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20.19' },
        ...{ sourcemap: 'linked', sourcesContent: false, logLevel: 'warning' },
        plugins: [placed],
      })
      .catch((error) => {
        // of a source it has said so itself, with the line
        throw error.errors?.length ? new Unbuildable('The sources cannot be built: see above.') : error
      })
    mkdirSync(`${here}dist`, { recursive: true })
    for (const file of ['taskwright.js.map', 'taskwright.js']) renameSync(`${made}/${file}`, `${here}dist/${file}`)
  } finally {
    // else its process stays as long as this one
    await esbuild.stop()
    rmSync(made, { recursive: true, force: true })
  }
}

function refuseUnwritable() {
  try {
    for (const folder of [here, `${here}dist`]) if (existsSync(folder)) accessSync(folder, constants.W_OK)
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
      const place = `new URL(${JSON.stringify(`../${relative(here, path)}`)}, import.meta.url).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', place), loader: 'ts' }
    })
  },
}
