import { general } from '../arguments/general.ts'
import type { Taken } from '../arguments/parse.ts'
import { flagsOf } from './flags.ts'
import type { Operation } from './operation.ts'

/** All flags that may stand behind the words of an operation. */
export function takenBy(operation: Operation): Record<string, Taken> {
  return { ...general, ...contextOf(operation), ...ownOf(operation) }
}

/** The flags of its fields and filters. */
export function ownOf(operation: Operation): Record<string, Taken> {
  const own = flagsOf(operation).map(({ name, others, parameter }): [string, Taken] => {
    const { type, of, words, list, description } = parameter
    const value =
      type === 'boolean' ? {} : { value: of ?? (type === 'text' && words && words.length < 8 ? words.join('|') : type) }
    return [name, { ...value, others, several: list !== undefined, ...(description ? { help: description } : {}) }]
  })
  return Object.fromEntries(own)
}

/** Where names of stages and workspaces are looked for, of operations that have no such field. */
export function contextOf({ parameters }: Operation): Record<string, Taken> {
  const has = (kind: string) => parameters.some(({ of }) => of === kind)
  const project = { value: 'project', help: 'in which the names of workspaces and stages are looked for' }
  const workspace = { value: 'workspace', help: 'in which the names of stages are looked for' }
  return {
    ...((has('workspace') || has('stage')) && !has('project') ? { project } : {}),
    ...(has('stage') && !has('workspace') ? { workspace } : {}),
  }
}
