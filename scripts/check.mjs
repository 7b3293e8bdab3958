import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './install.mjs'

ensureInstalled()

const node = [process.execPath]
const steps = [
  ['format and lint', [...node, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['types', [...node, 'node_modules/typescript/bin/tsc', '-p', '.']],
  ['types of the console', [...node, 'node_modules/typescript/bin/tsc', '-p', 'console']],
  ['generated files', [...node, '--import', 'tsx', 'scripts/generate.ts', '--check']],
  ['OpenAPI document', [...node, 'scripts/lint-openapi.mjs']],
  ['prose', [...node, '--import', 'tsx', 'scripts/lint-prose.ts']],
  ['compatibility', [...node, '--import', 'tsx', 'scripts/compatibility.ts']],
  ['tests', [...node, 'scripts/test.mjs']],
]

for (const [name, [program, ...words]] of steps) {
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(program, words, { stdio: 'inherit' })
  if (status !== 0) {
    process.stdout.write(`\n== ${name}: failed\n`)
    process.exit(status ?? 1)
  }
}
