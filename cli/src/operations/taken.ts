import { general } from '../arguments/general.ts'
import type { FlagValue } from '../arguments/parse.ts'
import { flagsOf } from './flags.ts'
import { isListOfIds, type Operation, type Parameter } from './operation.ts'

/** All flags of an operation. */
export function takenBy(operation: Operation): Record<string, FlagValue> {
  return { ...general, ...contextOf(operation), ...ownOf(operation) }
}

/** The flags of an operation's parameters, required ones first. */
export function ownOf(operation: Operation): Record<string, FlagValue> {
  const needed = flagsOf(operation).toSorted((one, other) => rank(one.parameter) - rank(other.parameter))
  const own = needed.map(({ name, others, parameter }): [string, FlagValue] => {
    const { type, list } = parameter
    const value = type === 'boolean' ? {} : { value: standIn(parameter) }
    return [name, { ...value, others, several: list !== undefined, help: helpOf(operation, parameter) }]
  })
  return Object.fromEntries(own)
}

const rank = ({ required }: Parameter) => (required ? 0 : 1)

/** The placeholder of a flag's value: its kind of resource, its words, or its type. */
export function standIn({ type, of, words = [], name }: Parameter): string {
  if (of !== undefined) return of
  if (type === 'integer') return /seconds$/i.test(name) ? '1h30m' : 'number'
  if (type === 'moment') return 'date-time'
  return type === 'text' && words.length > 0 && words.join('|').length < 30 ? words.join('|') : type
}

function helpOf({ method }: Operation, parameter: Parameter): string {
  const { description, words = [], required, nullable, type, of } = parameter
  const told = description?.replace(/(?<![.?!)])$/, '.')
  const untold = words.filter((word) => !told?.includes(word.replace(/^-/, '')))
  // the placeholder does not show these words
  const isLong = type === 'text' && standIn({ type, words, name: '', in: 'query' }) === type
  const besides = untold.length > 0 && (isLong || of !== undefined || type === 'date')
  return [
    ...(required ? ['Required.'] : []),
    ...(told ? [told] : []),
    ...(besides ? [`${isLong ? 'One of' : 'Or'} ${untold.join(', ')}.`] : []),
    ...(nullable && method === 'PATCH' ? ['null clears the field.'] : []),
    ...(isListOfIds(parameter) && method === 'PATCH' ? ['+ before a name adds it, - removes it.'] : []),
  ].join(' ')
}

/** Flags that limit the lookup of stages and workspaces, if the operation has no such parameter. */
export function contextOf({ parameters }: Operation): Record<string, FlagValue> {
  const has = (kind: string) => parameters.some(({ of }) => of === kind)
  const project = { value: 'project', help: 'look up names of workspaces and stages in this project' }
  const workspace = { value: 'workspace', help: 'look up names of stages in this workspace' }
  return {
    ...((has('workspace') || has('stage')) && !has('project') ? { project } : {}),
    ...(has('stage') && !has('workspace') ? { workspace } : {}),
  }
}
