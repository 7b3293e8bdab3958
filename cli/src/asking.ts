import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import { InterruptedError } from './problems.ts'

/** Asks the user for a line. @returns undefined at the end of the input */
export async function askLine(question: string, input: ReadStream, output: WriteStream): Promise<string | undefined> {
  input.ref()
  const lines = createInterface({ input, output, terminal: true })
  const stopped = new AbortController()
  try {
    lines.once('SIGINT', () => stopped.abort())
    lines.setPrompt(question)
    lines.prompt()
    const ended = once(lines, 'close').then(() => undefined)
    const line = once(lines, 'line', { signal: stopped.signal }).then(([text]) => String(text))
    return await Promise.race([line, ended])
  } catch (error) {
    output.write('\n')
    throw stopped.signal.aborted ? new InterruptedError() : error
  } finally {
    lines.close()
    input.unref()
  }
}

/** Asks for a line and does not show it. */
export async function askHidden(question: string, input: ReadStream, output: WriteStream): Promise<string | undefined> {
  input.ref()
  // first, because the user may type as soon as the question appears
  input.setRawMode(true)
  output.write(question)
  input.setEncoding('utf8')
  input.resume()
  try {
    let typed = ''
    for (;;) {
      const [keys] = (await once(input, 'data')) as [string]
      for (const key of keys) {
        if (key === '\r' || key === '\n') return typed
        if (key === '\u0003') throw new InterruptedError()
        if (key === '\u0004') return typed === '' ? undefined : typed
        // terminals send one or the other for backspace
        if (key === '\u007f' || key === '\b') typed = typed.slice(0, -1)
        else if (key >= ' ') typed += key
      }
    }
  } finally {
    input.setRawMode(false)
    input.pause()
    input.unref()
    output.write('\n')
  }
}
