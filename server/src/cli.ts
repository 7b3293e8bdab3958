import { parseArgs } from 'node:util'
import { allCommands } from './commands/all-commands.ts'
import { type Command, Failure, type Options, type Settings, UsageProblem } from './commands/command.ts'
import { entry, usageOf } from './commands/usage.ts'
import { ConfigProblem, readConfig } from './config.ts'
import { failureOf, isSaidByDatabase } from './db/failures.ts'
import { StartupProblem } from './db/startup-problem.ts'
import { version } from './processes/api-server.ts'
import type { Output } from './processes/serve.ts'

const usage = `taskwright <command>

${usageOf(allCommands)}
${entry('--version', ['print the version'])}

Settings come from the environment; see the README.`

/** What a command line stands in: that of this process, or another one. */
interface Surroundings {
  settings?: Settings
  output?: Output
}

function outputOfProcess(): Output {
  // what cannot be said, as on a full disk, does not end what is under way
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    say: (sentence) => void process.stderr.write(`${sentence}\n`),
    print: (line) => void process.stdout.write(`${line}\n`),
  }
}

const general = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const
const options: Options = Object.assign({}, ...allCommands.map((command) => command.options), general)

/** Runs a command line. @returns the exit code: 0, 1 when it failed, 2 when it was asked wrongly */
export async function run(
  words: readonly string[],
  { settings = process.env, output = outputOfProcess() }: Surroundings = {},
): Promise<number> {
  const say = (sentence: string, code: number) => {
    output.say(sentence)
    return code
  }
  try {
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true })
    if (values.help) {
      output.print(usage)
      return 0
    }
    if (values.version) {
      output.print(await version())
      return 0
    }
    const { command, operands } = commandOf(positionals)
    for (const option of Object.keys(values))
      if (!Object.hasOwn(command.options, option)) throw new UsageProblem(`${command.name} takes no --${option}.`)
    await command.run({
      settings,
      // read when it is asked for: one command looks at settings that make no sense
      get config() {
        return readConfig(settings)
      },
      values,
      operands,
      output,
    })
    return 0
  } catch (error) {
    const asked = error instanceof UsageProblem || error instanceof ConfigProblem || isParseError(error)
    if (asked || error instanceof StartupProblem || error instanceof Failure)
      return say((error as Error).message, asked ? 2 : 1)
    return say(plainly(error), 1)
  }
}

function commandOf(positionals: readonly string[]): { command: Command; operands: string[] } {
  const typed = positionals.length === 0 ? ['serve'] : positionals
  for (const length of [2, 1]) {
    const name = typed.slice(0, length).join(' ')
    const command = allCommands.find((it) => it.name === name)
    const operands = typed.slice(length)
    if (command && operands.length <= command.mostOperands) return { command, operands }
  }
  throw new UsageProblem(`There is no command '${positionals.join(' ')}'.\n\n${usage}`)
}

const isParseError = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** What the person at the terminal can act on; the rest with its stack. */
function plainly(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Stop what listens there, or choose another PORT.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used by this account; choose another PORT.`
  if (failureOf(error) === 'unavailable') return `The database does not answer: ${error.message}`
  if (isSaidByDatabase(error)) return `The database refuses: ${error.message}`
  return error.stack ?? error.message
}
