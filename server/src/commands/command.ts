import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Output } from '../processes/serve.ts'

/** Wrong usage of a command, in one plain sentence: exit code 2. */
export class UsageProblem extends Error {}

/** The reason why a command failed, in one plain sentence: exit code 1. */
export class Failure extends Error {}

/** The environment variables by name, such as PORT. */
export type Settings = Readonly<Record<string, string | undefined>>

/** The input of a command. @typeParam Values the values of its options */
export interface CommandContext<Values = object> {
  /** the settings before validation */
  settings: Settings
  config: Config
  values: { [Name in keyof Values]?: Values[Name] | undefined }
  /** the words after the name of the command */
  operands: string[]
  output: Output
}

/** One command of the command line. */
export interface Command {
  name: string
  /** its operands and options, as --help shows them */
  line: string
  /** the description in lines of at most 80 characters; none hides the command from --help */
  about: readonly string[]
  options: Options
  /** the limit of operands */
  mostOperands: number
  run(asked: CommandContext): Promise<void>
}

export type Options = NonNullable<ParseArgsConfig['options']>

type ValuesOf<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values']

interface Definition<O extends Options> {
  line?: string
  about: readonly string[]
  options?: O
  mostOperands?: number
  run(asked: CommandContext<ValuesOf<O>>): Promise<void>
}

/** Defines a command. @param name one word or two, as it is typed */
export function command<const O extends Options = Record<never, never>>(
  name: string,
  { line = '', about, options = {} as O, mostOperands = 0, run }: Definition<O>,
): Command {
  // cli.ts parses the options by these definitions, so the values have these types
  return { name, line, about, options, mostOperands, run: (asked) => run(asked as CommandContext<ValuesOf<O>>) }
}

const aboutFrom = 40

/** The list of commands in --help. */
export const usageOf = (commands: readonly Command[]): string =>
  commands
    .filter(({ about }) => about.length > 0)
    .map(({ name, line, about }) => usageEntry(line === '' ? name : `${name} ${line}`, about))
    .join('\n')

/** An entry of --help: the command on the left, its description on the right, or below a long command. */
export function usageEntry(typed: string, about: readonly string[]): string {
  const left = `  ${typed}`
  const lines = left.length < aboutFrom - 1 ? [left, ...about.slice(1).map(() => '')] : [left, ...about.map(() => '')]
  const right = left.length < aboutFrom - 1 ? about : ['', ...about]
  return lines.map((start, n) => `${start.padEnd(aboutFrom)}${right[n]}`.trimEnd()).join('\n')
}

/** Validates the value of an option like the API. @throws UsageProblem if the value is invalid */
export function valid(option: string, field: z.ZodType<string>, value: string): string {
  const read = field.safeParse(value)
  if (read.success) return read.data
  throw new UsageProblem(`--${option}: ${read.error.issues[0]?.message}.`)
}

/** Parses an option. @throws UsageProblem if the option is given and not a whole number from `min` to `max` */
export function wholeNumber(option: string, given: string | undefined, absent: number, { min, max }: Range): number {
  if (given === undefined) return absent
  if (/^[0-9]{1,10}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given)
  throw new UsageProblem(`--${option} must be a whole number from ${min} to ${max}.`)
}

interface Range {
  min: number
  max: number
}
