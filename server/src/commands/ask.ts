import { createInterface } from 'node:readline'
import { Failure } from './command.ts'

/** Asks the person at the terminal. @throws Failure if the input ends, or the command is stopped */
export function ask(question: string, stopped: AbortSignal): Promise<string> {
  // `terminal: false`: otherwise readline handles Ctrl-C itself, and no signal stops the command
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const answered = new Promise<string>((resolve, reject) => {
    lines.once('close', () => reject(new Failure('Nothing was changed.')))
    stopped.addEventListener('abort', () => lines.close(), { once: true })
    lines.question(question, resolve)
  })
  return answered.finally(() => lines.close())
}
