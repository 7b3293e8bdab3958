import { createInterface } from 'node:readline'
import { Failure } from './command.ts'

/** Asks the person at the terminal. @throws Failure when there is no answer, or the command is stopped */
export function ask(question: string, stopped: AbortSignal): Promise<string> {
  // the terminal itself knows what Ctrl-C is
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const answered = new Promise<string>((resolve, reject) => {
    lines.once('close', () => reject(new Failure('Nothing was changed.')))
    stopped.addEventListener('abort', () => lines.close(), { once: true })
    lines.question(question, resolve)
  })
  return answered.finally(() => lines.close())
}
