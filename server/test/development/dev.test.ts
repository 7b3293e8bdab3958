import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { afterwards } from '../support/afterwards.ts'
import { keyIn, linesOf, postmasterIn } from '../support/slow/processes.ts'
import { copyOfTheTree } from '../support/slow/terminal.ts'
import { inTime } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

test('npm run dev restarts when a source or a migration is saved, keeps its data, and Ctrl-C ends all of it', async (t) => {
  const folder = await copyOfTheTree(t)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: '0', LOG_LEVEL: 'warn' }
  const npm = spawn('npm', ['run', 'dev'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(npm, 'close')
  const toAll = (signal: NodeJS.Signals) => process.kill(-(npm.pid ?? 0), signal)
  afterwards(t, async () => {
    if (npm.exitCode === null && npm.signalCode === null) toAll('SIGKILL')
  })
  const [out, err] = [linesOf(npm.stdout), linesOf(npm.stderr)]
  const said = (lines: typeof out, what: RegExp, times = 1) =>
    inTime(
      lines.first(() => lines.all.filter((line) => what.test(line)).length >= times),
      `npm run dev does not say ${what} ${times} times:\n${[...out.all, ...err.all].join('\n')}`,
      patienceMs,
    )
  /** A client of the server that was started for the n-th time. */
  const api = async (n: number) => {
    await said(out, /^Taskwright listening on /, n)
    const bases = out.all.flatMap((line) => /^Taskwright listening on (.*)$/.exec(line)?.[1] ?? [])
    return apiOf(`${bases[n - 1]}/api/v1`, keyIn(out.all))
  }

  const tag = await created((await api(1)).post('/tags', { name: 'Kept' }))
  await appendFile(join(folder, 'server/src/cli.ts'), '\n// saved\n')
  assert.equal((await (await api(2)).get(`/tags/${tag.id}`)).status, 200)

  // what is still being written is not applied, and tried again when it is done
  const made = spawn('npm', ['run', '--silent', 'migration', '--', 'notes-of-tags'], { cwd: folder, env })
  const file = join(folder, (await linesOf(made.stdout).first((line) => line.endsWith('.sql'))) ?? '')
  await said(err, /^Migration [0-9]{4}_notes_of_tags\.sql failed: it is still being written/)
  await said(out, /^Failed running /)
  const [header = ''] = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, `${header}\nalter table tags add column note text;\n`)
  assert.equal((await (await api(3)).get(`/tags/${tag.id}`)).status, 200)
  // said before, and by another pipe
  await said(err, /^Applied 1 migrations\.$/)
  // Node 20 hands every other `--watch-path=…` on to what it starts, which then watches too: two that start and end one server
  if (process.platform === 'linux') assert.equal((await commandsOfGroup(npm.pid)).filter(isWatching).length, 1)

  toAll('SIGINT')
  await inTime(ended, 'npm run dev does not end')
  assert.equal(await postmasterIn(join(folder, 'data')), undefined)
})

// what is said first comes behind a build, a new cluster and all migrations
const patienceMs = 180_000

const isWatching = (command: string) => command.includes('--watch-path')

/** The commands of the processes of a group. */
async function commandsOfGroup(group = 0) {
  const pids = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))
  const commands = pids.map(async (pid) => {
    const [, ofGroup] = / [A-Z] [0-9]+ ([0-9]+) [^)]*$/.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(ofGroup) === group ? await readFile(`/proc/${pid}/cmdline`, 'utf8') : ''
  })
  return (await Promise.allSettled(commands)).flatMap((command) =>
    command.status === 'fulfilled' ? command.value : [],
  )
}
