import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs `npm ci` if node_modules differs from package-lock.json; the check takes milliseconds. If `npm ci` fails, it ends the
 * process with status 1.
 * @param development false: development packages may be missing
 * @param folder the folder of package-lock.json, below the root
 */
export function ensureInstalled({ development = true, folder = '.' } = {}) {
  const base = join(root, folder)
  if (isInstalled(base, development)) return
  const lock = takeLock(base)
  // another process may have installed while this one waited
  const problem = isInstalled(base, development) ? undefined : install(base, development)
  unlinkSync(lock)
  if (problem === undefined) return
  process.stderr.write(`The dependencies could not be installed: ${problem}. Start again once that is solved.\n`)
  process.exit(1)
}

function isInstalled(base, development) {
  const wanted = packagesIn(join(base, 'package-lock.json'))
  const found = packagesIn(join(base, 'node_modules/.package-lock.json'))
  return Object.keys(wanted).every(
    (path) =>
      path === '' || mayBeAbsent(wanted[path], development) || isSame(join(base, path), wanted[path], found[path]),
  )
}

function packagesIn(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages
  } catch (error) {
    if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error
    return {}
  }
}

function mayBeAbsent(wanted, development) {
  if ((wanted.dev || wanted.devOptional) && !development) return true
  // finding out the libc would take too long
  return Boolean(
    wanted.optional && (!lists(wanted.os, process.platform) || !lists(wanted.cpu, process.arch) || wanted.libc),
  )
}

function lists(names, name) {
  return !names || names.includes(name)
}

function isSame(path, wanted, found) {
  if (!found || !existsSync(join(path, 'package.json'))) return false
  if (wanted.link) return found.link === true && found.resolved === wanted.resolved
  return found.version === wanted.version && found.integrity === wanted.integrity
}

function install(base, development) {
  process.stderr.write('Installing dependencies (about a minute on a slow line) …\n')
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--include=optional']
  if (development) flags.push('--include=dev')
  const npm = process.env.npm_execpath
  const [program, first] = npm && /npm-cli\.js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []]
  const { status, error } = spawnSync(program, first.concat(flags), { cwd: base, stdio: ['ignore', 2, 2] })
  if (status === 0) return undefined
  return error ? `npm does not run (${error.message})` : 'npm ci failed, see above'
}

// the lock contains its process id; it is outside node_modules, because npm ci deletes that folder
function takeLock(base) {
  const name = createHash('sha256').update(`${userInfo().uid} ${base}`).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `taskwright-install-${name}.lock`)
  const own = `${lock}.${process.pid}`
  removeIfThere(own)
  // other users can write there: `wx` refuses their files and links
  writeFileSync(own, String(process.pid), { flag: 'wx' })
  for (let told = false; !isLinked(own, lock); told = true) {
    if (isStale(lock)) {
      removeIfThere(lock)
      continue
    }
    if (!told) process.stderr.write('Another process is installing dependencies: waiting for it …\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  unlinkSync(own)
  return lock
}

function isLinked(from, to) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isStale(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function removeIfThere(path) {
  try {
    unlinkSync(path)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
