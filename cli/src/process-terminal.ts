import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import type { Input, Output, Terminal } from './terminal.ts'

/** The terminal, or the pipes, that this process was started with. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  // who reads no more, as head does, wants nothing more
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
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

/** Gone off by the first Ctrl-C; the second, and a command that does not end, end the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => {
    controller.abort()
    process.once('SIGINT', () => process.exit(130))
    setTimeout(() => process.exit(130), 1_000).unref()
  })
  return controller.signal
}
