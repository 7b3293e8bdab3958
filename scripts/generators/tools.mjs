import { spawnSync } from 'node:child_process'

/** A language, or what it takes, is not to be had on this machine. */
export class Missing extends Error {}

/** Runs what must be had. @throws Missing when it does not run */
export function need(what, program, words, options = {}) {
  const { status, error, stderr } = spawnSync(program, words, { encoding: 'utf8', ...options })
  if (status === 0) return
  throw new Missing(`${what} (${error?.message ?? stderr.trim().split('\n').at(-1)})`)
}

/** Runs what must succeed. @returns what it printed @throws Error with all that it said */
export function run(program, words, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', ...options })
  if (status === 0) return stdout
  const said = error?.message ?? `${stdout}${stderr}`.slice(-4_000)
  throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${said}`)
}
