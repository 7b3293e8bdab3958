import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = new URL('../src/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

test('the client needs only itself and web standards, so it runs in browsers, Deno and Bun too', () => {
  assert.ok(files.length > 10)
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8')
    const from = [...text.matchAll(/(?:\bfrom|\bimport\()\s*'([^']+)'/g)].map(([, name = '']) => name)
    assert.deepEqual(
      from.filter((name) => !/^\.{1,2}\/(?!.*(?:server|cli)\/)/.test(name)),
      [],
      file,
    )
    assert.doesNotMatch(
      text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      /\b(?:process|Buffer|require|setImmediate)\b/,
      file,
    )
  }
  // with the types of the web, and without those of Node
  const tsc = [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}client`]
  const { status, stdout } = spawnSync(process.execPath, tsc, { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
