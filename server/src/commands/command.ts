import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Output } from '../processes/serve.ts'

/** What is wrong with how a command was asked, in one plain sentence: exit code 2. */
export class UsageProblem extends Error {}

/** Why a command did not do what it was asked, in one plain sentence: exit code 1. */
export class Failure extends Error {}

/** By their names, such as PORT. */
export type Settings = Readonly<Record<string, string | undefined>>

/** What a command has in hand. @typeParam Values what its options hold, where they are given */
export interface Asked<Values = object> {
  /** as they were given */
  settings: Settings
  config: Config
  values: { [Name in keyof Values]?: Values[Name] | undefined }
  /** the words behind the name of the command */
  operands: string[]
  output: Output
}

/** One command of the command line, as the table of contents knows it. */
export interface Command {
  name: string
  /** its operands and options, as --help shows them */
  line: string
  /** what it does, in lines of at most 80 characters; none for what is not for people */
  about: readonly string[]
  options: Options
  /** how many operands it takes at most */
  mostOperands: number
  run(asked: Asked): Promise<void>
}

export type Options = NonNullable<ParseArgsConfig['options']>

type ValuesOf<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values']

interface Definition<O extends Options> {
  line?: string
  about: readonly string[]
  options?: O
  mostOperands?: number
  run(asked: Asked<ValuesOf<O>>): Promise<void>
}

/** Defines a command. @param name one word or two, as it is typed */
export function command<const O extends Options = Record<never, never>>(
  name: string,
  { line = '', about, options = {} as O, mostOperands = 0, run }: Definition<O>,
): Command {
  // the door has read the options by these definitions
  return { name, line, about, options, mostOperands, run: (asked) => run(asked as Asked<ValuesOf<O>>) }
}

const aboutFrom = 40

/** What --help says of the commands. */
export const usageOf = (commands: readonly Command[]): string =>
  commands
    .filter(({ about }) => about.length > 0)
    .map(({ name, line, about }) => entry(line === '' ? name : `${name} ${line}`, about))
    .join('\n')

/** What is typed, and to the right of it, or below it where it is long, what that does. */
export function entry(typed: string, about: readonly string[]): string {
  const left = `  ${typed}`
  const lines = left.length < aboutFrom - 1 ? [left, ...about.slice(1).map(() => '')] : [left, ...about.map(() => '')]
  const right = left.length < aboutFrom - 1 ? about : ['', ...about]
  return lines.map((start, n) => `${start.padEnd(aboutFrom)}${right[n]}`.trimEnd()).join('\n')
}

/** @throws UsageProblem when the API would not take the value either */
export function valid(option: string, field: z.ZodType<string>, value: string): string {
  const read = field.safeParse(value)
  if (read.success) return read.data
  throw new UsageProblem(`--${option}: ${read.error.issues[0]?.message}.`)
}

/** @throws UsageProblem when the option is given and not a whole number from `min` to `max` */
export function wholeNumber(option: string, given: string | undefined, absent: number, { min, max }: Range): number {
  if (given === undefined) return absent
  if (/^[0-9]{1,10}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given)
  throw new UsageProblem(`--${option} must be a whole number from ${min} to ${max}.`)
}

interface Range {
  min: number
  max: number
}
