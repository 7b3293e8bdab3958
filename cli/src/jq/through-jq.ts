import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { forReader } from '../output/show.ts'
import { JqFailed, WrongUse } from '../problems.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Runs a command and pipes its output through the program jq.
 * @throws WrongUse if jq is not installed; JqFailed with its message and exit code
 */
export async function throughJq(
  filter: string,
  terminal: Terminal,
  run: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  // test the filter before the command changes anything on the server
  await filtered(filter, terminal, async () => {})
  await filtered(filter, terminal, run)
}

async function filtered(filter: string, terminal: Terminal, run: (terminal: Terminal) => Promise<void>): Promise<void> {
  const { env, out } = terminal
  // the space prevents jq from reading a filter such as -1 as a flag
  const jq = spawn('jq', ['--raw-output', ` ${filter}`], { env })
  const started = once(jq, 'spawn')
  const closed = new Promise<number>((resolve) => jq.once('close', (code) => resolve(code ?? 1)))
  const said: string[] = []
  jq.stdout.setEncoding('utf8').on('data', (text: string) => out.write(forReader(text, out)))
  jq.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  // jq closed its input early; its exit code shows whether it failed
  jq.stdin.on('error', () => {})
  await started.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new WrongUse('--jq needs the program jq. Install it (apt install jq, brew install jq), or use only --json.')
  })
  const drained = async () => {
    if (jq.stdin.writableNeedDrain) await Promise.race([once(jq.stdin, 'drain'), closed])
    await out.drained()
  }
  try {
    await run({ ...terminal, out: { write: (text) => void jq.stdin.write(text), isTerminal: false, drained } })
  } finally {
    jq.stdin.end()
    await closed
  }
  const code = await closed
  if (code !== 0) throw new JqFailed(said.join('').trimEnd() || `jq ended with ${code}.`, code)
}
