import type { ParsedArguments } from '../arguments/parse.ts'
import type { NameScope } from '../names/name-scope.ts'
import { uuid } from '../names/names.ts'
import { WrongUse } from '../problems.ts'
import { flagsOf, positionalsOf } from './flags.ts'
import type { Operation, Parameter } from './operation.ts'
import { wordsOf } from './words.ts'

/** The typed values of a parameter. */
export interface ParameterValue {
  parameter: Parameter
  /** as typed, for error messages */
  flag: string
  texts: readonly string[]
}

/** A comment has a field `body`, so `--body` is its text. */
export const hasOwnBody = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'body')

/** Assigns typed values to parameters. @throws WrongUse for an extra argument */
export function typedIn(operation: Operation, { positionals, texts, asTyped }: ParsedArguments): ParameterValue[] {
  const places = positionalsOf(operation)
  if (positionals.length > places.length) {
    const takes = places.length === 0 ? 'no arguments' : places.map(placeholder).join(' ')
    throw new WrongUse(`Unexpected argument '${positionals[places.length]}': ${said(operation)} takes ${takes}.`)
  }
  const first = places.flatMap((parameter, i): ParameterValue[] => {
    const text = positionals[i]
    return text === undefined ? [] : [{ parameter, flag: placeholder(parameter), texts: [text] }]
  })
  const named = flagsOf(operation).flatMap(({ name, parameter }): ParameterValue[] => {
    const all = texts.get(name)
    return all === undefined ? [] : [{ parameter, flag: asTyped.get(name) ?? `--${name}`, texts: all }]
  })
  const twice = named.find(({ parameter }) => first.some((one) => one.parameter === parameter))
  if (twice) throw new WrongUse(`Give ${placeholder(twice.parameter)} only once: it is also given as ${twice.flag}.`)
  return [...first, ...named]
}

/** The placeholder of a positional parameter: `<task>`. */
export const placeholder = ({ name, of }: Parameter) => `<${of && name !== 'q' ? of : name === 'q' ? 'words' : name}>`

const said = (operation: Operation) => `tw ${wordsOf(operation).join(' ')}`

/** @throws WrongUse if a required argument is missing */
export function refuseIncomplete(operation: Operation, typed: readonly ParameterValue[], hasBody: boolean): void {
  const isThere = (parameter: Parameter) => typed.some((one) => one.parameter === parameter)
  const places = positionalsOf(operation)
  const absent = (parameter: Parameter) => parameter.required && !isThere(parameter)
  const flags = hasBody
    ? []
    : flagsOf(operation).filter((one) => absent(one.parameter) && !places.includes(one.parameter))
  const missing = [...places.filter(absent).map(placeholder), ...flags.map(({ name }) => `--${name}`)]
  const listed = missing.join(', ').replace(/, ([^,]+)$/, ' and $1')
  if (missing.length > 0) throw new WrongUse(`${said(operation)} needs ${listed}. See ${said(operation)} --help.`)
  if (operation.method === 'PATCH' && !hasBody && !typed.some(({ parameter }) => parameter.in === 'body'))
    throw new WrongUse(`Give at least one field to update. See ${said(operation)} --help.`)
}

/** The other typed names, which limit the lookup. */
export function withinOf(typed: readonly ParameterValue[], { texts }: ParsedArguments): NameScope {
  const entries = (['project', 'workspace', 'task', 'stage'] as const).flatMap((kind) => {
    const named = typed.find(({ parameter: { of, name } }) => of === kind && name !== 'beforeId' && name !== 'afterId')
    const [text = texts.get(kind)?.[0], ...more] = named?.texts ?? []
    const isOne = text !== undefined && more.length === 0 && !/^(null|none)$/.test(text)
    // look up a stage by its name; a stage with an id limits the lookup to its neighbors
    return isOne && (kind !== 'stage' || (named?.parameter.in === 'path' && uuid.test(text)))
      ? [[kind, text] as const]
      : []
  })
  return Object.fromEntries(entries)
}
