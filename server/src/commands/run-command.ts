import { ConfigProblem, readConfig } from '../config.ts'
import { failureOf, isDatabaseError, isDiskFailure } from '../db/pool/failures.ts'
import { StartupProblem } from '../db/pool/startup-problem.ts'
import { type Command, type CommandContext, Failure, UsageProblem } from './command.ts'

/** Runs a command with its settings. @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage */
export async function runCommand(command: Command, asked: Omit<CommandContext, 'config'>): Promise<number> {
  try {
    await command.run({
      ...asked,
      // lazy, because `doctor` must also run with invalid settings
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

/** The message alone if the person at the terminal can act on it, else the error with its stack. */
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
  if (isDatabaseError(error)) return `The database refuses: ${error.message}`
  return error.stack ?? error.message
}
