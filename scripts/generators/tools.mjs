import { spawnSync } from 'node:child_process'

/** A language or its tools are missing on this machine. */
export class Missing extends Error {}

/** Runs a required program. @throws Missing if it does not run */
export function need(what, program, words, options = {}) {
  const { status, error, stderr } = spawnSync(program, words, { encoding: 'utf8', ...options })
  if (status === 0) return
  throw new Missing(`${what} (${error?.message ?? stderr.trim().split('\n').at(-1)})`)
}

/** Runs a program that must succeed. @returns its output @throws Error with all its output */
export function run(program, words, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', ...options })
  if (status === 0) return stdout
  const said = error?.message ?? `${stdout}${stderr}`.slice(-4_000)
  throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${said}`)
}
