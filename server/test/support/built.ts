import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const packages = join(root, 'node_modules')

/**
 * Makes JavaScript that Node runs as it is of files of this repository: what they have in common is translated
 * and read in a few large parts, rather than file by file in each process.
 * @param folder where there is none
 * @returns where they are, in that order
 */
export async function built(files: readonly string[], folder: string): Promise<string[]> {
  await mkdir(folder)
  // from there packages are found as from here
  await symlink(packages, join(folder, 'node_modules'))
  try {
    await build({
      entryPoints: [...files],
      ...{ outbase: root, outdir: folder, chunkNames: 'parts/[hash]', outExtension: { '.js': '.mjs' } },
      ...{ bundle: true, splitting: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20.19' },
      ...{ sourcemap: 'linked', sourcesContent: false, logLevel: 'silent' },
      plugins: [placed],
    })
  } finally {
    // else its process stays as long as this one
    await stop()
  }
  return files.map((file) => join(folder, relative(root, file).replace(/\.ts$/, '.mjs')))
}

/** What lies beside a source is found by where the source stands. */
export const placed: Plugin = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }))
  },
}
