import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterwards, type Scope } from '../afterwards.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)

/** The version of the last release, ready to run; or why it cannot be had here, in a sentence. */
export type Released = { version: string; program: string } | { missing: string }

/** Takes the last release out of git into a directory of its own, with the libraries that it was made for. */
export async function lastRelease(t: Scope): Promise<Released> {
  const { version, commit: recorded } = JSON.parse(await readFile(join(root, 'released.json'), 'utf8'))
  const commit = (await commitOf(`refs/tags/v${version}`)) ?? (await commitOf(recorded))
  if (commit === undefined)
    return {
      missing: `${version} is not in this clone (commit ${recorded}), which is shallow, or no clone: git fetch --unshallow --tags`,
    }
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-released-'))
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  // PostgreSQL runs as another account when this is root
  await chmod(folder, 0o755)
  await run('/bin/sh', ['-c', 'git archive "$1" -- $2 | tar -x -C "$0"', folder, commit, paths], { cwd: root })
  if (await isInstalled(folder)) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else {
    const problem = await install(folder)
    if (problem !== undefined) return { missing: `npm cannot install the libraries of ${version}: ${problem}` }
  }
  return { version, program: join(folder, 'server/bin/taskwright.mjs') }
}

// with whatever else its program is made of
const paths = [
  'package.json package-lock.json tsconfig.json :(glob)*/*.* :(glob)*/src/**',
  'server/bin server/docs-page server/migrations',
].join(' ')

const commitOf = (name: string) =>
  run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )

/** Whether what is installed here is what that version is to run with. */
async function isInstalled(folder: string): Promise<boolean> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  const wanted = Object.entries<Locked>(packages).filter(([place, { dev, link }]) => {
    return place.startsWith('node_modules/') && !dev && !link
  })
  const same = wanted.map(async ([place, { version, optional }]) => {
    const manifest = join(root, place, 'package.json')
    if (!existsSync(manifest)) return optional === true
    return JSON.parse(await readFile(manifest, 'utf8')).version === version
  })
  return (await Promise.all(same)).every(Boolean)
}

interface Locked {
  version?: string
  dev?: boolean
  link?: boolean
  optional?: boolean
}

/** @returns what stands in the way, when npm reaches no registry */
async function install(folder: string): Promise<string | undefined> {
  const words = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  try {
    await run('npm', words, { cwd: folder })
    return undefined
  } catch (error) {
    const { message } = error as Error
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|E403|E5\d\d/.test(message)) throw error
    return message.split('\n').find((line) => line.includes('npm error')) ?? message
  }
}
