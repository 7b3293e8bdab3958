import { fileURLToPath } from 'node:url'
import * as pty from '@lydell/node-pty'
import { afterwards, type Scope } from '../afterwards.ts'
import { inTime } from '../until.ts'

/** The command line as people start it. */
export const program = fileURLToPath(new URL('../../../../cli/bin/tw.mjs', import.meta.url))

/** Runs a program in a terminal; it is killed when the test ends. */
export function inTerminal(t: Scope, file: string, args: readonly string[], env: Record<string, string>, columns = 80) {
  const { PATH = '', HOME = '' } = process.env
  const terminal = pty.spawn(file, [...args], { cols: columns, rows: 30, env: { PATH, HOME, TERM: 'xterm', ...env } })
  let shown = ''
  let told = () => {}
  terminal.onData((text) => {
    shown += text
    told()
  })
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  let isOver = false
  void ended.then(() => {
    isOver = true
    told()
  })
  afterwards(t, async () => {
    if (!isOver) terminal.kill('SIGKILL')
  })
  return {
    /** all that it has shown */
    shown: () => shown,
    /** types on the keyboard */
    type: (keys: string) => terminal.write(keys),
    /** resolves once it shows this, behind what was waited for before */
    async shows(wanted: RegExp) {
      await inTime(until(wanted), 'too late').catch(() => {
        throw new Error(`The terminal does not show ${wanted}, but:\n${shown}`)
      })
    },
    /** its exit code */
    ended: () => inTime(ended, 'The program in the terminal does not end'),
  }

  async function until(wanted: RegExp): Promise<void> {
    while (!wanted.test(shown)) {
      if (isOver) throw new Error('It has ended')
      await new Promise<void>((resolve) => {
        told = resolve
      })
    }
  }
}

/** Runs the command line in a terminal. */
export const twInTerminal = (t: Scope, words: readonly string[], env: Record<string, string>, columns?: number) =>
  inTerminal(t, process.execPath, [program, ...words], env, columns)
