import { general } from '../arguments/general.ts'
import type { FlagValue } from '../arguments/parse.ts'
import { find } from '../commands/find.ts'
import { ownCommands } from '../commands/own.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { flagsOf, positionalsOf } from '../operations/flags.ts'
import type { Operation } from '../operations/operation.ts'
import { placeholder } from '../operations/parameter-value.ts'
import { contextOf, ownOf, standIn } from '../operations/taken.ts'
import { wordsOf } from '../operations/words.ts'
import { paintFor } from '../output/colours.ts'
import type { Output, Terminal } from '../terminal.ts'
import { hasPage } from '../web/page.ts'
import { exampleOf, examplesOfNoun } from './examples.ts'
import { paragraph, twoColumns } from './layout.ts'

/** Shows all nouns and commands. */
export function showOverview(terminal: Terminal): void {
  const { below } = find([])
  const nouns = [...below].map(([noun, some]): [string, string] => [noun, verbsOf(noun, some)])
  const own = Object.entries(ownCommands).map(([name, { summary }]): [string, string] => [name, summary])
  write(terminal, [
    'tw <noun> <verb> [ids] [flags]: Taskwright on the command line\n',
    heading(terminal, 'Your account and the server'),
    twoColumns(own, terminal.out),
    heading(terminal, 'Resources'),
    twoColumns(nouns, terminal.out),
    heading(terminal, 'Flags of every command'),
    flagLines(general, terminal.out),
    heading(terminal, 'Examples'),
    lines([
      'tw login',
      'tw tasks list --assignee me',
      'tw tasks create --project WEB --name "Fix the header"',
      'tw timer start WEB-12',
    ]),
    'More help: tw help tasks, tw help tasks create.',
  ])
}

const verbsOf = (noun: string, some: readonly Operation[]) =>
  [...new Set(some.map((one) => wordsOf(one).slice(1).join(' ')))]
    .filter((verb) => verb !== noun && verb !== '')
    .join(', ') ||
  (some[0]?.summary ?? '')

/** Shows the operations of a noun. */
export function showNoun(
  words: readonly string[],
  below: ReadonlyMap<string, readonly Operation[]>,
  terminal: Terminal,
): void {
  const rows = [...below.values()]
    .flat()
    .map((one): [string, string] => [wordsOf(one).slice(words.length).join(' '), one.summary])
  write(terminal, [
    `tw ${words.join(' ')} <verb> [ids] [flags]\n`,
    twoColumns(rows, terminal.out),
    heading(terminal, 'Examples'),
    lines(examplesOfNoun([...below.values()].flat())),
    `More help: tw ${words.join(' ')} <verb> --help.`,
  ])
}

/** Shows the help of an operation. */
export function showOperation(operation: Operation, terminal: Terminal): void {
  const words = `tw ${wordsOf(operation).join(' ')}`
  const places = positionalsOf(operation)
  const needed = flagsOf(operation).filter(({ parameter }) => parameter.required && !places.includes(parameter))
  const usage = [
    words,
    ...places.map((one) => (one.required ? placeholder(one) : `[${placeholder(one)}]`)),
    ...needed.map(({ name, parameter }) => `--${name} <${standIn(parameter)}>`),
    '[flags]',
  ]
  const own = { ...ownOf(operation), ...contextOf(operation) }
  const { description, summary, access } = operation
  write(terminal, [
    `${summary}.\n`,
    `${usage.join(' ')}\n`,
    ...(description ? [paragraph(description, terminal.out)] : []),
    paragraph(`Access: ${access}`, terminal.out),
    ...(Object.keys(own).length > 0 ? [heading(terminal, 'Flags'), flagLines(own, terminal.out)] : []),
    heading(terminal, 'Flags of every command'),
    flagLines(Object.fromEntries(Object.entries(general).filter(([name]) => fits(name, operation))), terminal.out),
    heading(terminal, 'Example'),
    lines(exampleOf(operation)),
  ])
}

/** Whether a general flag makes sense for this operation. */
function fits(name: string, operation: Operation): boolean {
  const { method, path, list, csv, parameters } = operation
  const isWrite = method !== 'GET'
  const byName: Record<string, boolean> = {
    ...{ all: list !== undefined, csv: list !== undefined || csv === true, yes: method === 'DELETE' },
    ...{ 'dry-run': isWrite, 'if-match': isWrite && path.includes('{'), 'idempotency-key': method === 'POST' },
    web: hasPage(operation),
    body: method === 'PATCH' || method === 'POST' ? !parameters.some((one) => one.name === 'body') : false,
  }
  return byName[name] ?? true
}

/** Shows the help of a command that is not an operation. */
export function showCommand(name: string, command: OwnCommand, terminal: Terminal): void {
  const { summary, description, positionals, flags, examples } = command
  const { profile, timeout, verbose } = general
  write(terminal, [
    `${summary}.\n`,
    `${['tw', name, positionals, '[flags]'].filter(Boolean).join(' ')}\n`,
    ...(description ? [paragraph(description, terminal.out)] : []),
    heading(terminal, 'Flags'),
    flagLines({ ...flags, profile, timeout, verbose }, terminal.out),
    heading(terminal, examples.length > 1 ? 'Examples' : 'Example'),
    lines(examples),
  ])
}

function flagLines(flags: Readonly<Record<string, FlagValue>>, out: Output): string {
  const rows = Object.entries(flags).map(([name, { value, short, help = '' }]): [string, string] => {
    const typed = `--${name}${value === undefined ? '' : ` <${value}>`}`
    return [short ? `-${short}, ${typed}` : typed, help]
  })
  return twoColumns(rows, out)
}

const heading = ({ env, out }: Terminal, text: string) => paintFor({ env }, out)('bold', `${text}:`)

const lines = (some: readonly string[]) => some.map((line) => `  ${line}\n`).join('')

const write = ({ out }: Terminal, parts: readonly string[]) => out.write(`${parts.join('\n').trimEnd()}\n`)
