import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// Builds client/dist from client/src: one file for every runtime and bundler, and its types. cjs/ has the same for CommonJS,
// with its own types, because TypeScript takes the module format from the folder.
// usage: build-client.mjs [folder]
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = process.argv[2] ?? `${root}client/dist`

rmSync(dist, { recursive: true, force: true })
for (const [format, outfile] of [
  ['esm', `${dist}/index.js`],
  ['cjs', `${dist}/cjs/index.js`],
]) {
  await build({
    entryPoints: [`${root}client/src/index.ts`],
    ...{ outfile, format, bundle: true, platform: 'neutral', target: 'es2022', legalComments: 'none' },
  })
}

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
const types = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.d.ts'))
for (const name of types) {
  // the sources import .ts files; dist has only .js
  const text = readFileSync(`${dist}/${name}`, 'utf8')
  writeFileSync(`${dist}/${name}`, text.replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
}
for (const name of types) cpSync(`${dist}/${name}`, `${dist}/cjs/${name}`)
writeFileSync(`${dist}/cjs/package.json`, `${JSON.stringify({ type: 'commonjs' })}\n`)
