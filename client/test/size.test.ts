import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const mostBytes = 12_000

test('the whole client is smaller than 12 kB, minified and compressed, and has no dependencies', async (t) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    ...{ bundle: true, minify: true, format: 'esm', platform: 'neutral', target: 'es2022' },
    ...{ write: false, metafile: true, logLevel: 'silent' },
  })
  const [bundle] = outputFiles
  const bytes = gzipSync(bundle?.contents ?? new Uint8Array()).byteLength
  t.diagnostic(`${bundle?.contents.byteLength} bytes minified, ${bytes} compressed`)
  assert.ok(bytes > 1_000 && bytes < mostBytes, `${bytes} bytes`)
  const imported = Object.values(metafile.inputs).flatMap((input) => input.imports.filter(({ external }) => external))
  assert.deepEqual(imported, [])
})
