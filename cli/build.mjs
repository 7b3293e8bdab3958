import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const program = `${here}dist/tw.js`
const sources = [`${here}src`, `${here}../client/src`, `${here}package.json`, `${here}build.mjs`]

/** Where the program is, in JavaScript that Node runs as it is: made from the sources when these are newer. */
export async function builtProgram() {
  if (isStale()) await build()
  return pathToFileURL(program).href
}

function isStale() {
  const built = statSync(program, { throwIfNoEntry: false })
  return built === undefined || Math.max(...sources.map(changedMs)) >= built.mtimeMs
}

// when something was written, or in a folder added or removed
function changedMs(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changedMs(`${path}/${name}`)))
}

async function build() {
  const esbuild = await import('esbuild')
  // another process may be starting: it finds the program before or the one after, never half of one
  const made = `${here}dist-${process.pid}`
  try {
    await esbuild.build({
      entryPoints: [`${here}src/tw.ts`],
      outfile: `${made}/tw.js`,
      // with the client in it, so that nothing else is to be installed or read
      ...{ bundle: true, packages: 'bundle', platform: 'node', format: 'esm', target: 'node20.19' },
      ...{ minifySyntax: true, minifyWhitespace: true, legalComments: 'none', logLevel: 'warning' },
    })
    mkdirSync(`${here}dist`, { recursive: true })
    renameSync(`${made}/tw.js`, program)
  } finally {
    await esbuild.stop()
    if (existsSync(made)) rmSync(made, { recursive: true, force: true })
  }
}
