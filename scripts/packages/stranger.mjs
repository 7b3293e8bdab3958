import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The minimal environment of a terminal. */
const surroundings = { PATH: process.env.PATH, HOME: process.env.HOME }

/**
 * Installs packages into an empty project, with this machine's npm settings.
 * @returns the obstacle, if npm is missing or reaches no registry
 * @throws if the packages are at fault
 */
export function install(project, packed) {
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const words = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'error',
    ...packed.map(({ file }) => file),
  ]
  const { status, error, stderr } = spawnSync('npm', words, { cwd: project, encoding: 'utf8', timeout: 300_000 })
  if (status === 0) return undefined
  const said = error?.message ?? stderr.trim()
  if (error || /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|E403|E5\d\d/.test(said))
    return said.split('\n')[0]
  throw new Error(`npm cannot install them:\n${said}`)
}

/** Runs a command of the packages. @returns its output @throws if it fails, with all its output */
export function run(project, env, command, ...words) {
  const program = join(project, 'node_modules/.bin', command)
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: project,
    env: { ...surroundings, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout.trim()
}

/** The accounts that start the server: an ordinary user, and root if this process is root. */
export function accounts() {
  if (process.geteuid() !== 0) return [{ name: 'an ordinary user' }]
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'nobody'])))
  // the ordinary user cannot write into the packages and comes first, before root could create files there
  return [{ name: 'an ordinary user', uid, gid }, { name: 'root' }]
}

/** Starts the server twice with its data in its own folder; the second start keeps running. */
export async function startServer(scratch, project, { name, uid, gid }) {
  const folder = join(scratch, name.replaceAll(' ', '-'))
  mkdirSync(folder)
  if (uid !== undefined) chownSync(folder, uid, gid)
  const account = uid === undefined ? {} : { uid, gid, env: { HOME: folder } }
  const first = await started(folder, project, account)
  const [key] = /\btw_\w+/.exec(first.said()) ?? []
  await first.stop()
  const again = await started(folder, project, account)
  for (const path of ['/docs', '/console', '/healthz', '/api/v1/openapi.json', '/api/v1/me']) {
    const { status } = await fetch(again.base + path, { headers: { authorization: `Bearer ${key}` } })
    if (status !== 200) throw new Error(`${path} of a server that ${name} started is ${status}`)
  }
  // the server must keep its data in this folder
  execFileSync('test', ['-d', join(folder, 'data')])
  return { ...again, key, firstMs: first.startedMs, againMs: again.startedMs }
}

async function started(folder, project, { env, ...account }) {
  const log = join(folder, 'log')
  const began = performance.now()
  const child = spawn(process.execPath, [join(project, 'node_modules/.bin/taskwright'), 'serve', '--demo'], {
    ...account,
    cwd: folder,
    env: { ...surroundings, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let printed = ''
  const base = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
      const [, address] = /listening on (\S+)/.exec(printed) ?? []
      if (address) resolve(address)
    })
    void ended.then(() => reject(new Error(`The server did not start:\n${readFileSync(log, 'utf8')}`)))
  })
  return {
    base,
    said: () => printed,
    startedMs: Math.round(performance.now() - began),
    async stop() {
      child.kill('SIGTERM')
      const code = await ended
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${readFileSync(log, 'utf8')}`)
    },
  }
}
