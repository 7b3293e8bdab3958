import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { exitCodes } from './problems.ts'
import type { Input, Output, Terminal } from './terminal.ts'

/** The terminal or the pipes of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  stdout.on('error', (error) => endBecauseOf(error, 'standard output'))
  stderr.on('error', (error) => endBecauseOf(error, 'standard error'))
  const input: Input = {
    isTerminal: stdin.isTTY === true,
    async text() {
      const parts: Buffer[] = []
      for await (const part of stdin) parts.push(part)
      return Buffer.concat(parts)
        .toString('utf8')
        .replace(/^\ufeff/, '')
    },
    async *lines() {
      const decoder = new StringDecoder('utf8')
      let rest = ''
      for await (const part of stdin) {
        const lines = (rest + decoder.write(part)).split('\n')
        rest = lines.pop() ?? ''
        yield* lines
      }
      if (rest !== '') yield rest
    },
    async ask(question, hidden = false) {
      const { askHidden, askLine } = await import('./asking.ts')
      return (hidden ? askHidden : askLine)(question, stdin, stderr)
    },
  }
  return { env: process.env, out: outputTo(stdout), err: outputTo(stderr), input, interrupted: interruption() }
}

/** Ends the process after a write error. A reader that stops early, such as `head`, is not a failure. */
function endBecauseOf({ code, message }: NodeJS.ErrnoException, output: string): never {
  if (code === 'EPIPE') process.exit(exitCodes.ok)
  const why = code === 'ENOSPC' ? 'no space left on the device (ENOSPC)' : message
  try {
    writeSync(2, `Cannot write to ${output}: ${why}. If the command changed something, the change is made.\n`)
  } catch {
    // only the exit code reports it
  }
  process.exit(exitCodes.brokenOutput)
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns
    },
    drained: async () => {
      if (stream.writableNeedDrain) await once(stream, 'drain')
    },
  }
}

/**
 * Aborts on the first Ctrl-C. The second one ends the process at once; so does a command that does not stop within a second.
 */
function interruption(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => {
    controller.abort()
    process.once('SIGINT', () => process.exit(exitCodes.interrupted))
    setTimeout(() => process.exit(exitCodes.interrupted), 1_000).unref()
  })
  return controller.signal
}
