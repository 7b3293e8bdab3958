import type { Given } from '../arguments/parse.ts'
import { uuid } from '../names/names.ts'
import type { Within } from '../names/within.ts'
import { WrongUse } from '../problems.ts'
import { flagsOf, positionalsOf } from './flags.ts'
import type { Operation, Parameter } from './operation.ts'
import { wordsOf } from './words.ts'

/** What was typed for a parameter. */
export interface Typed {
  parameter: Parameter
  /** as it was typed, for what is wrong with it */
  flag: string
  texts: readonly string[]
}

/** Of a comment `--body` is its text. */
export const hasOwnBody = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'body')

/** What was typed, by what it is for. @throws WrongUse of what is one too many */
export function typedIn(operation: Operation, { positionals, texts, asTyped }: Given): Typed[] {
  const places = positionalsOf(operation)
  if (positionals.length > places.length) {
    const takes = places.length === 0 ? 'no arguments' : places.map(placeholder).join(' ')
    throw new WrongUse(`Unexpected argument '${positionals[places.length]}': ${said(operation)} takes ${takes}.`)
  }
  const first = places.flatMap((parameter, i): Typed[] => {
    const text = positionals[i]
    return text === undefined ? [] : [{ parameter, flag: placeholder(parameter), texts: [text] }]
  })
  const named = flagsOf(operation).flatMap(({ name, parameter }): Typed[] => {
    const all = texts.get(name)
    return all === undefined ? [] : [{ parameter, flag: asTyped.get(name) ?? `--${name}`, texts: all }]
  })
  const twice = named.find(({ parameter }) => first.some((one) => one.parameter === parameter))
  if (twice) throw new WrongUse(`Give ${placeholder(twice.parameter)} only once: it is also given as ${twice.flag}.`)
  return [...first, ...named]
}

/** What stands for a parameter without a flag: `<task>`. */
export const placeholder = ({ name, of }: Parameter) => `<${of && name !== 'q' ? of : name === 'q' ? 'words' : name}>`

const said = (operation: Operation) => `tw ${wordsOf(operation).join(' ')}`

/** @throws WrongUse where something is missing that it takes */
export function refuseIncomplete(operation: Operation, typed: readonly Typed[], hasBody: boolean): void {
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

/** In what names are looked for: what is named beside them. */
export function withinOf(typed: readonly Typed[], { texts }: Given): Within {
  const entries = (['project', 'workspace', 'task', 'stage'] as const).flatMap((kind) => {
    const named = typed.find(({ parameter: { of, name } }) => of === kind && name !== 'beforeId' && name !== 'afterId')
    const [text = texts.get(kind)?.[0], ...more] = named?.texts ?? []
    const isOne = text !== undefined && more.length === 0 && !/^(null|none)$/.test(text)
    // a stage itself is looked for by its name; beside one with an id there are its neighbours
    return isOne && (kind !== 'stage' || (named?.parameter.in === 'path' && uuid.test(text)))
      ? [[kind, text] as const]
      : []
  })
  return Object.fromEntries(entries)
}
