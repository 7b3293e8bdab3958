import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// Makes client/dist of client/src: one file that every runtime and bundler reads as it is, and its types.
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}client/dist`

rmSync(dist, { recursive: true, force: true })
await build({
  entryPoints: [`${root}client/src/index.ts`],
  outfile: `${dist}/index.js`,
  ...{ bundle: true, platform: 'neutral', format: 'esm', target: 'es2022', legalComments: 'none' },
})

const compiler = [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}client`]
const emit = [
  '--noEmit',
  'false',
  '--declaration',
  '--emitDeclarationOnly',
  '--outDir',
  dist,
  '--rootDir',
  `${root}client/src`,
]
const { status } = spawnSync(process.execPath, [...compiler, ...emit], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  // the sources name one another as they are called; beside these there are no sources
  const types = readFileSync(`${dist}/${name}`, 'utf8')
  writeFileSync(`${dist}/${name}`, types.replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
}
