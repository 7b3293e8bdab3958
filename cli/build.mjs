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
  const settings = {
    outdir: made,
    // with its libraries in it, so that nothing else is to be installed or read
    ...{ bundle: true, packages: 'bundle', platform: 'node', format: 'esm', target: 'node20.19' },
    ...{ minifySyntax: true, minifyWhitespace: true, legalComments: 'none', logLevel: 'warning' },
  }
  try {
    await esbuild.build({ ...settings, entryPoints: [`${here}src/tw.ts`], plugins: [apart] })
    await esbuild.build({
      ...settings,
      entryPoints: [`${here}src/proxies/through-proxies.ts`],
      minifyIdentifiers: true,
      banner: { js: requireForCommonJs },
    })
    mkdirSync(`${here}dist`, { recursive: true })
    // the program last: what it reads is there then
    for (const name of ['through-proxies.js', 'tw.js']) renameSync(`${made}/${name}`, `${here}dist/${name}`)
  } finally {
    await esbuild.stop()
    if (existsSync(made)) rmSync(made, { recursive: true, force: true })
  }
}

// seldom needed and larger than all else: read only where the environment names a proxy
const apart = {
  name: 'apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/through-proxies\.ts$/ }, () => ({ path: './through-proxies.js', external: true })),
}

// libraries in CommonJS ask for modules of Node by it
const requireForCommonJs = "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);"
