import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../../documentation/pages.ts'
import { afterwards, type Scope } from '../afterwards.ts'
import { inTime } from '../until.ts'
import { stopPostgres } from './made-cluster.ts'
import { keyIn, linesOf } from './processes.ts'

/** The address that the pages speak of. */
export const documented = 'http://127.0.0.1:3000'

// nothing but what a new user's terminal has, and jq, which some get first
const { PATH = '', HOME = '' } = process.env
const surroundings = { PATH: `${PATH}:${root}server/test/documentation/bin`, HOME }

// one server runs for all pages, so it has what one of them starts it with
const settings = { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' }

// `npm start` runs in another terminal already, and all of `npm test` would run this test in itself, without an end
const asOnePerson = `npm() {
  case "$*" in
    start) ;;
    test) command npm test -- access/keys ;;
    *) command npm "$@" ;;
  esac
}
`

const patienceMs = 120_000

/** A terminal in a copy of the working tree, where `npm start` runs in another one. */
export async function openTerminal(t: Scope) {
  const folder = await copyOfTheTree(t)
  const server = await started(t, folder)
  const memory = join(folder, 'memory-of-the-terminal')

  /** Runs commands as they are written, with the variables of those before. @throws Error with all that was printed */
  async function run(script: string): Promise<string> {
    const typed = unhurried(script.replaceAll('tw_…', server.key).replaceAll(documented, server.base))
    const before = `set -aeuo pipefail; [ ! -e ${memory} ] || . ${memory}\n${asOnePerson}`
    const whole = `${before}${typed}\nunset -f npm; export -p > ${memory}`
    const shell = spawn('bash', ['-c', whole], { cwd: folder, env: surroundings, detached: true, timeout: patienceMs })
    // what it leaves running in the background ends with the terminal
    afterwards(t, async () => endGroup(shell.pid))
    const [out, err] = [linesOf(shell.stdout), linesOf(shell.stderr)]
    const [code] = await once(shell, 'close')
    if (code !== 0) throw new Error([`They ended with ${code}`, ...out.all, ...err.all].join('\n'))
    return out.all.join('\n')
  }
  return { server, run }
}

/** What it waits for, three times as long: on a busy machine a second is little. */
const unhurried = (script: string) =>
  script.replace(/(--max-time|\bsleep) (\d+)(?![.\d])/g, (_, word, seconds) => `${word} ${3 * Number(seconds)}`)

/** Ends a process and all that it started, where any of them is left. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // nothing was left
  }
}

/** A folder with what a clone holds, and the packages that are installed here; what is started in it is stopped afterwards. */
export async function copyOfTheTree(t: Scope): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'taskwright-reader-')))
  // PostgreSQL runs as another account when this is root
  await chmod(folder, 0o755)
  afterwards(t, async () => {
    await stopPostgres(join(folder, 'data', 'postgres'))
    await rm(folder, { recursive: true, force: true })
  })
  const notCloned = ['.git', 'node_modules', 'data', 'dist']
  await cp(root, folder, { recursive: true, filter: (path) => !notCloned.includes(basename(path)) })
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(to)
  for (const name of await readdir(from)) {
    const entry = join(from, name)
    // the links to our own packages and commands must lead into the copy
    if (name === '.bin') await cp(entry, join(to, name), { recursive: true, verbatimSymlinks: true })
    else if ((await lstat(entry)).isSymbolicLink()) await symlink(await readlink(entry), join(to, name))
    else await symlink(entry, join(to, name))
  }
  return folder
}

/** Runs `npm start`; where something else has the documented port, again on a free one. */
async function started(t: Scope, folder: string) {
  const first = await npmStart(t, folder, { ...surroundings, ...settings })
  const portTaken = first.said.includes('is in use')
  const last = portTaken ? await npmStart(t, folder, { ...surroundings, ...settings, PORT: '0' }) : first
  if (last.base === '') throw new Error(`npm start did not come to listen:\n${last.said}`)
  // the key is printed before the port is asked for
  return { ...last, key: first.key, portTaken }
}

async function npmStart(t: Scope, folder: string, env: Record<string, string>) {
  const npm = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(npm, 'close')
  afterwards(t, async () => {
    // as Ctrl-C does, to all that npm started
    if (npm.pid !== undefined && npm.exitCode === null) process.kill(-npm.pid, 'SIGINT')
    await inTime(ended, 'npm start does not end')
  })
  const [out, err] = [linesOf(npm.stdout), linesOf(npm.stderr)]
  const prefix = 'Taskwright listening on '
  const ready = out.first((line) => line.startsWith(prefix))
  const line = await inTime(Promise.race([ready, ended.then(() => prefix)]), 'npm start says nothing')
  return { base: line.slice(prefix.length), key: keyIn(out.all), said: [...out.all, ...err.all].join('\n') }
}
