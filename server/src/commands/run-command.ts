import { ConfigProblem, readConfig } from '../config.ts'
import { failureOf, isDiskFailure, isSaidByDatabase } from '../db/pool/failures.ts'
import { StartupProblem } from '../db/pool/startup-problem.ts'
import { type Asked, type Command, Failure, UsageProblem } from './command.ts'

/** Runs a command with its settings. @returns the exit code: 0, 1 when it failed, 2 when it was asked wrongly */
export async function runCommand(command: Command, asked: Omit<Asked, 'config'>): Promise<number> {
  try {
    await command.run({
      ...asked,
      // read when it is asked for: one command looks at settings that make no sense
      get config() {
        return readConfig(asked.settings)
      },
    })
    return 0
  } catch (error) {
    asked.output.say(plainly(error))
    return error instanceof UsageProblem || error instanceof ConfigProblem ? 2 : 1
  }
}

/** What the person at the terminal can act on; the rest with its stack. */
function plainly(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ([UsageProblem, ConfigProblem, StartupProblem, Failure].some((known) => error instanceof known))
    return error.message
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the program that listens there, or choose another PORT.`
  if (code === 'EACCES' && port !== undefined) return `Port ${port} needs a privileged account. Choose another PORT.`
  if (isDiskFailure(error)) return `The disk fails: ${error.message}`
  if (failureOf(error) === 'unavailable') return `The database does not answer: ${error.message}`
  if (isSaidByDatabase(error)) return `The database refuses: ${error.message}`
  return error.stack ?? error.message
}
