import { parseArgs } from 'node:util'
import { WrongUse } from '../problems.ts'
import { didYouMean } from '../suggestions.ts'

/** A flag that a command accepts. */
export interface FlagValue {
  /** the placeholder of its value in help; undefined for a switch: `--all` or `--no-all` */
  value?: string
  short?: string
  /** other names */
  others?: readonly string[]
  /** the flag can be repeated */
  several?: boolean
  help?: string
}

/** The parsed arguments of a command. */
export interface ParsedArguments {
  positionals: string[]
  /** values by flag name; `true` or `false` for a switch */
  texts: Map<string, string[]>
  /** the first typed form of a flag: `--started-after` for `from` */
  asTyped: Map<string, string>
}

/**
 * Parses the arguments of a command.
 * @throws WrongUse if a flag is unknown, lacks its value, or is given twice
 */
export function parse(args: readonly string[], flags: Readonly<Record<string, FlagValue>>): ParsedArguments {
  const nameOf = new Map(
    Object.entries(flags).flatMap(([name, { others = [] }]) => [name, ...others].map((one) => [one, name] as const)),
  )
  const options = Object.fromEntries(
    [...nameOf].map(([typed, name]) => {
      const { value, short } = flags[name] ?? {}
      return [
        typed,
        { type: value === undefined ? 'boolean' : 'string', ...(short && typed === name ? { short } : {}) },
      ]
    }),
  ) as Record<string, { type: 'boolean' | 'string'; short?: string }>
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const given: ParsedArguments = { positionals: [], texts: new Map(), asTyped: new Map() }
  for (const token of tokens) {
    if (token.kind === 'positional') given.positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { rawName, inlineValue, value } = token
    const isNo = token.name.startsWith('no-') && !nameOf.has(token.name)
    const name = nameOf.get(isNo ? token.name.slice(3) : token.name)
    const flag = name === undefined ? undefined : flags[name]
    if (name === undefined || flag === undefined || (isNo && flag.value !== undefined)) throw unknown(rawName, nameOf)
    const text = flag.value === undefined ? factOf(rawName, isNo, value) : value
    if (
      text === undefined ||
      (!inlineValue && flag.value !== undefined && nameOf.has(text.replace(/^--/, ' ').trim()) && text.startsWith('--'))
    )
      throw new WrongUse(`${rawName} needs a value: ${rawName}=<${flag.value}>.`)
    const before = given.texts.get(name) ?? []
    if (before.length > 0 && !flag.several) throw new WrongUse(`Give ${rawName} only once.`)
    given.texts.set(name, [...before, text])
    if (before.length === 0) given.asTyped.set(name, rawName)
  }
  return given
}

function factOf(rawName: string, isNo: boolean, value: string | undefined): string {
  if (value === undefined) return String(!isNo)
  if (!isNo && (value === 'true' || value === 'false')) return value
  throw new WrongUse(`${rawName} takes only true or false: ${rawName}=true or ${rawName}=false.`)
}

function unknown(rawName: string, known: ReadonlyMap<string, string>): WrongUse {
  const like = didYouMean(rawName.replace(/^-+/, ''), [...known.keys()]).replace(/(?<=mean |or )/g, '--')
  return new WrongUse(`There is no flag ${rawName}.${like}`)
}
