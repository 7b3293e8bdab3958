import { exitCodes } from './problems.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/**
 * Runs a command.
 * @param words the arguments of `tw`
 * @returns the exit code
 */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words[0] === '--version') {
    terminal.out.write(`${version}\n`)
    return exitCodes.ok
  }
  try {
    // load the code of a command when it is called, because most commands need little
    if (words[0] === '__complete') await (await import('./completion/complete.ts')).complete(words.slice(1), terminal)
    else await (await import('./commands/dispatch.ts')).dispatch(words, terminal)
    await terminal.out.drained()
    return terminal.interrupted.aborted ? exitCodes.interrupted : exitCodes.ok
  } catch (error) {
    return (await import('./telling.ts')).tell(error, words, terminal)
  }
}
