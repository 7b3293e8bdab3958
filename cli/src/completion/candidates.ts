import { dayWords } from '../arguments/days.ts'
import { general } from '../arguments/general.ts'
import type { FlagValue } from '../arguments/parse.ts'
import { find } from '../commands/find.ts'
import { ownCommands } from '../commands/own.ts'
import { shapes } from '../generated/operations.ts'
import { flagsOf, positionalsOf } from '../operations/flags.ts'
import type { Operation, Parameter } from '../operations/operation.ts'
import { takenBy } from '../operations/taken.ts'
import { includableBy } from '../output/columns.ts'
import { readProfiles } from '../sign-in/profiles.ts'
import type { Terminal } from '../terminal.ts'
import type { Candidate } from './candidate.ts'
import { namesFor } from './remembered.ts'

/** The suggestions after these words. @param current the typed part of the next word */
export async function candidatesFor(
  words: readonly string[],
  current: string,
  terminal: Terminal,
): Promise<Candidate[]> {
  const { operation, count, below } = find(words)
  if (operation) return behindOperation(operation, words.slice(count), current, terminal)
  const [first = '', ...rest] = words
  if (first === 'help') return candidatesFor(rest, current, terminal)
  const command = Object.hasOwn(ownCommands, first) ? await ownCommands[first]?.load() : undefined
  if (command)
    return behindCommand(
      first,
      { ...command.flags, profile: general.profile, help: general.help },
      rest,
      current,
      terminal,
    )
  if (count < words.length) return []
  const nouns = [...below].map(([text, [one, ...more]]) => ({
    text,
    about: more.length === 0 ? one?.summary : undefined,
  }))
  const own = count === 0 ? Object.entries(ownCommands).map(([text, { summary }]) => ({ text, about: summary })) : []
  return [...nouns, ...own]
}

async function behindOperation(
  operation: Operation,
  args: readonly string[],
  current: string,
  terminal: Terminal,
): Promise<Candidate[]> {
  const flags = takenBy(operation)
  const { asked, prefix, positionals } = placeIn(args, current, flags)
  const parameter = (name: string) =>
    flagsOf(operation).find((one) => one.name === name || one.others.includes(name))?.parameter
  if (asked === undefined) {
    if (current.startsWith('-')) return flagNames(flags, args)
    const place = positionalsOf(operation)[positionals.length]
    return place ? valuesOf(place, current, args, terminal) : flagNames(flags, args)
  }
  const values = await valuesOfFlag(asked, parameter(asked), operation, current.slice(prefix.length), args, terminal)
  return values.map(({ text, about }) => ({ text: prefix + text, about }))
}

async function behindCommand(
  name: string,
  flags: Record<string, FlagValue>,
  args: readonly string[],
  current: string,
  terminal: Terminal,
) {
  const { asked, positionals } = placeIn(args, current, flags)
  if (
    asked === 'profile' ||
    (name === 'profiles' && asked === undefined && positionals.length === 0 && !current.startsWith('-'))
  )
    return profileNames(terminal)
  if (asked === 'type') return wordsOf(typesOfEvents(), current)
  if (asked !== undefined) return []
  if (name === 'completion' && positionals.length === 0) return ['bash', 'zsh', 'fish'].map((text) => ({ text }))
  if (name === 'api' && positionals.length === 0) return ['GET', 'POST', 'PATCH', 'DELETE'].map((text) => ({ text }))
  return flagNames(flags, args)
}

/** The flag whose value is the next word, the part of the word before that value, and the positionals so far. */
function placeIn(args: readonly string[], current: string, flags: Readonly<Record<string, FlagValue>>) {
  const takes = (word: string | undefined) => {
    const name = word?.replace(/^--?/, '') ?? ''
    const known = Object.entries(flags).find(([one, { others = [] }]) => one === name || others.includes(name))
    return word?.startsWith('--') && known?.[1].value !== undefined ? name : undefined
  }
  const positionals = args.filter((word, i) => !word.startsWith('-') && takes(args[i - 1]) === undefined)
  const [flag = '', inline] = current.split(/=(.*)/s)
  if (inline !== undefined) return { asked: takes(flag), prefix: `${flag}=`, positionals }
  return { asked: takes(args.at(-1)), prefix: '', positionals }
}

const flagNames = (flags: Readonly<Record<string, FlagValue>>, args: readonly string[]): Candidate[] =>
  Object.entries(flags)
    .filter(([name, { several }]) => several || !args.includes(`--${name}`))
    .map(([name, { help }]) => ({ text: `--${name}`, about: help }))

async function valuesOfFlag(
  name: string,
  parameter: Parameter | undefined,
  operation: Operation,
  current: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<Candidate[]> {
  if (name === 'profile') return profileNames(terminal)
  if (name === 'columns')
    return wordsOf([...(shapes[operation.answers ?? ''] ?? []), ...includableBy(operation)], current)
  // these flags limit the lookup of stages and workspaces
  if (!parameter && (name === 'project' || name === 'workspace')) return namesFor(name, args, terminal)
  return parameter ? valuesOf(parameter, current, args, terminal) : []
}

/** The values of a parameter; after a comma, further values. */
async function valuesOf(
  { of, words = [], list, type }: Parameter,
  current: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<Candidate[]> {
  const days = type === 'date' || type === 'moment' ? dayWords : []
  const own = [...words, ...days].map((text) => ({ text, about: undefined }))
  const named = of ? await namesFor(of, args, terminal) : []
  return list ? behindComma([...own, ...named], current) : [...own, ...named]
}

const wordsOf = (words: readonly string[], current: string) =>
  behindComma(
    [...new Set(words)].map((text) => ({ text })),
    current,
  )

function behindComma(candidates: readonly Candidate[], current: string): Candidate[] {
  const before = current.slice(0, current.lastIndexOf(',') + 1)
  const given = before.split(',')
  return candidates
    .filter(({ text }) => !given.includes(text))
    .map(({ text, about }) => ({ text: before + text, about }))
}

const profileNames = async ({ env }: Terminal) =>
  Object.entries((await readProfiles(env)).byName).map(([text, { url }]) => ({ text, about: url }))

const typesOfEvents = () =>
  find(['events', 'list']).operation?.parameters.find(({ name }) => name === 'type')?.words ?? []
