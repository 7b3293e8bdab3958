import { general } from '../arguments/general.ts'
import { parse } from '../arguments/parse.ts'
import { WrongUse } from '../problems.ts'
import { didYouMean } from '../suggestions.ts'
import type { Terminal } from '../terminal.ts'
import { type CommandMatch, find } from './find.ts'
import { ownCommands } from './own.ts'
import type { OwnCommand } from './own-command.ts'

/** Runs the command that the words name, or shows its help. @throws WrongUse for an unknown command */
export async function dispatch(typed: readonly string[], terminal: Terminal): Promise<void> {
  const words = wordsFirst(typed)
  const [first, ...rest] = words
  const help = async () => import('../help/help.ts')
  if (first === undefined || first.startsWith('-')) {
    refuseUnknownFlag(words)
    return (await help()).showOverview(terminal)
  }
  if (first === 'help') return dispatch([...rest, '--help'], terminal)
  const asksHelp = words.includes('--help') || words.includes('-h')
  if (Object.hasOwn(ownCommands, first)) {
    const command = await ownCommands[first]?.load()
    if (command === undefined) return
    return asksHelp ? (await help()).showCommand(first, command, terminal) : runOwn(first, command, rest, terminal)
  }
  const found = find(words)
  const { operation, count, below } = found
  if (operation) {
    if (asksHelp) return (await help()).showOperation(operation, terminal)
    return (await import('./run-operation.ts')).runOperation(operation, words.slice(count), terminal)
  }
  const [next] = words.slice(count)
  if (count === 0 || (next !== undefined && !next.startsWith('-'))) throw unknown(words, found)
  if (next !== undefined && !asksHelp)
    throw new WrongUse(`Add a verb after ${words.slice(0, count).join(' ')}: ${[...below.keys()].join(', ')}.`)
  return (await help()).showNoun(words.slice(0, count), below, terminal)
}

/** Moves flags before the words behind them. */
function wordsFirst(typed: readonly string[]): string[] {
  let count = 0
  while (typed[count]?.startsWith('-')) {
    const [name = '', inline] = (typed[count] ?? '').replace(/^--?/, '').split('=')
    const takesValue = Object.entries(general).some(([known, flag]) => known === name && 'value' in flag)
    count += takesValue && inline === undefined ? 2 : 1
  }
  return [...typed.slice(count), ...typed.slice(0, count)]
}

function refuseUnknownFlag(words: readonly string[]): void {
  parse(words, general)
}

async function runOwn(name: string, command: OwnCommand, args: readonly string[], terminal: Terminal): Promise<void> {
  const { profile, timeout, verbose, help } = general
  const given = parse(args, { profile, timeout, verbose, help, ...command.flags })
  const odd = given.positionals[command.most ?? 0]
  if (odd !== undefined) throw new WrongUse(`Unexpected argument '${odd}'. See tw ${name} --help.`)
  return command.run(given, terminal)
}

function unknown(words: readonly string[], { count, below }: CommandMatch): WrongUse {
  const word = words[count] ?? ''
  const known = [...below.keys(), ...(count === 0 ? ['help', ...Object.keys(ownCommands)] : [])]
  const before = words.slice(0, count).join(' ')
  const hint = didYouMean(word, known) || (count === 0 ? ' See tw help.' : ` Known: ${known.join(', ')}.`)
  return new WrongUse(count === 0 ? `There is no command '${word}'.${hint}` : `${before} has no '${word}'.${hint}`)
}
