import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ensureInstalled } from './install.mjs'

// Runs tests on another Node version: `npm run on-node -- 24 cli.test`. The npm package `node` contains its programs.
const [major = '', ...words] = process.argv.slice(2)

// the parts that a newer Node may break: commands and starts, every operation over HTTP, the shutdown, the packages
const parts = ['cli.test', 'contract/every-route', 'processes/drain', 'packages.test']

ensureInstalled()
const folder = mkdtempSync(join(tmpdir(), 'taskwright-node-'))
try {
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error', `node@${major}`]
  const { status, stderr } = spawnSync('npm', install, { cwd: folder, encoding: 'utf8' })
  if (status === 0) process.exitCode = runTests(join(folder, 'node_modules/node/bin'))
  else
    process.stdout.write(
      `Node ${major} cannot be had here, so nothing was tried on it: ${stderr.trim().split('\n')[0]}\n`,
    )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function runTests(binaries) {
  const node = join(binaries, 'node')
  const { version, lts } = JSON.parse(
    spawnSync(node, ['-p', 'JSON.stringify({ version: process.version, lts: process.release.lts })'], {
      encoding: 'utf8',
    }).stdout,
  )
  process.stdout.write(`Node ${version}${lts ? ` (${lts})` : ''}\n`)
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` }
  return (
    spawnSync(node, ['scripts/test.mjs', ...(words.length > 0 ? words : parts)], { env, stdio: 'inherit' }).status ?? 1
  )
}
