import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { askAsAgent, compile, followPage } from './packages/consumer.mjs'
import { pack, root } from './packages/pack.mjs'
import { makeReadOnly, makeWritable } from './packages/read-only.mjs'
import { accounts, install, run, startServer } from './packages/stranger.mjs'

ensureInstalled()
process.exitCode = await packages()

/** Uses the packages as a new user does, from an empty folder. @returns the exit code */
async function packages() {
  const scratch = mkdtempSync(join(tmpdir(), 'taskwright-packages-'))
  // as root, PostgreSQL runs as another account
  chmodSync(scratch, 0o755)
  const project = join(scratch, 'project')
  mkdirSync(project)
  try {
    const packed = pack(scratch)
    for (const { name, packedBytes, unpackedBytes, files } of packed)
      say(`${name}: ${kilobytes(packedBytes)} packed, ${kilobytes(unpackedBytes)} in ${files} files unpacked`)
    holdSizes(packed)
    const problem = install(project, packed)
    if (problem !== undefined) {
      say(`npm cannot install here, so the packages were not tried: ${problem}`)
      return 0
    }
    for (const command of ['taskwright', 'tw']) say(`${command} --version: ${run(project, {}, command, '--version')}`)
    for (const resolution of ['nodenext', 'bundler']) compile(project, resolution)
    say('The types of the client are found by nodenext and bundler')
    const changed = makeReadOnly(join(project, 'node_modules'))
    for (const account of accounts()) {
      const server = await startServer(scratch, project, account)
      say(
        `The server listens ${server.firstMs} ms after its first start by ${account.name}, ${server.againMs} after the second`,
      )
      try {
        say(followPage(project, server))
        say(`An agent that starts tw mcp is answered by ${askAsAgent(project, server)}`)
      } finally {
        await server.stop()
      }
    }
    if (changed().length > 0) throw new Error(`What was installed was written into: ${changed().join(', ')}`)
    say('Nobody has written into what was installed, which nobody may')
    return 0
  } catch (error) {
    say(error.message)
    return 1
  } finally {
    makeWritable(join(project, 'node_modules'))
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** @throws if a size in docs/clients.md is wrong by more than a tenth */
function holdSizes(packed) {
  const page = readFileSync(join(root, 'docs/clients.md'), 'utf8')
  for (const { name, packedBytes, unpackedBytes } of packed) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    const written = [...row.matchAll(/\| ([\d.]+) (kB|MB) (?=\|)/g)].map(
      ([, count, unit]) => count * { kB: 1e3, MB: 1e6 }[unit],
    )
    const isRight = [packedBytes, unpackedBytes].every((bytes, i) => Math.abs(written[i] / bytes - 1) <= 0.1)
    if (isRight) continue
    throw new Error(
      `docs/clients.md, "Packages": ${name} has ${kilobytes(packedBytes)} packed, ${kilobytes(unpackedBytes)} unpacked`,
    )
  }
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1_000)} kB`
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
