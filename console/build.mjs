import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** What the files of the console are made of. */
export const sources = ['src', 'index.html', 'package.json', 'tsconfig.json', 'build.mjs', '../client/src'].map(
  (path) => here + path,
)

/**
 * Makes the files that a browser loads: scripts, styles and pictures under names that change with what is in them, index.html,
 * which names those that are needed at once, and files.json, which names all.
 * @param folder where there is none
 */
export async function buildConsole(esbuild, folder) {
  const { outputs } = (
    await esbuild.build({
      absWorkingDir: here,
      entryPoints: { main: 'src/main.tsx', style: 'src/style.css', icon: 'src/icon.svg' },
      ...{ outdir: folder, entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', assetNames: '[name]-[hash]' },
      ...{ bundle: true, splitting: true, minify: true, platform: 'browser', format: 'esm', target: 'es2022' },
      ...{ sourcemap: 'linked', metafile: true, legalComments: 'none', logLevel: 'warning' },
      loader: { '.svg': 'copy' },
    })
  ).metafile
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/index.html`, index(outputs))
  const made = Object.keys(outputs).map((path) => basename(path))
  writeFileSync(`${folder}/files.json`, JSON.stringify(['index.html', ...made.toSorted()]))
}

/** The page: the template names sources, for which stands what was made of them. */
function index(outputs) {
  const madeOf = (source) => {
    const found = Object.keys(outputs).find(
      (path) => outputs[path].entryPoint === source || Object.keys(outputs[path].inputs).join() === source,
    )
    if (found === undefined) throw new Error(`console/index.html names ${source}, of which nothing is made`)
    return found
  }
  // else the browser learns of them one after another
  const preloads = [...neededBy(outputs, madeOf('src/main.tsx'))].map(
    (path) => `<link rel="modulepreload" href="${address(path)}">\n  `,
  )
  return readFileSync(`${here}index.html`, 'utf8')
    .replaceAll(/"(src\/[^"]+)"/g, (_, source) => `"${address(madeOf(source))}"`)
    .replace('<script ', `${preloads.join('')}<script `)
}

const address = (path) => `/console/${basename(path)}`

/** What a script imports as it is read, and what that imports. */
function neededBy(outputs, path, found = new Set()) {
  for (const { kind, path: imported } of outputs[path].imports) {
    if (kind !== 'import-statement' || found.has(imported)) continue
    found.add(imported)
    neededBy(outputs, imported, found)
  }
  return found
}
