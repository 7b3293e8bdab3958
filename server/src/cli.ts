import { parseArgs } from 'node:util'
import { allCommands } from './commands/all-commands.ts'
import { type Command, type Options, type Settings, UsageProblem, usageEntry, usageOf } from './commands/command.ts'
import type { Output } from './processes/serve.ts'
import { version } from './processes/version.ts'

const usage = `taskwright <command>

${usageOf(allCommands)}
${usageEntry('--version', ['print the version'])}

Settings are environment variables: see docs/settings.md, or /docs/guides/settings on a running server.`

/** The environment and the output of a command line; default: those of this process. */
interface CliEnvironment {
  settings?: Settings
  output?: Output
}

function outputOfProcess(): Output {
  // a failed write, such as on a full disk, must not end the running command
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    say: (sentence) => void process.stderr.write(`${sentence}\n`),
    print: (line) => void process.stdout.write(`${line}\n`),
  }
}

const general = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const
const options: Options = Object.assign({}, ...allCommands.map((command) => command.options), general)

/** Runs a command line. @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage */
export async function run(
  words: readonly string[],
  { settings = process.env, output = outputOfProcess() }: CliEnvironment = {},
): Promise<number> {
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
    const { runCommand } = await import('./commands/run-command.ts')
    return await runCommand(command, { settings, values, operands, output })
  } catch (error) {
    if (!(error instanceof UsageProblem || isParseError(error))) throw error
    output.say(error.message)
    return 2
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

const isParseError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
