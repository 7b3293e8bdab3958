import { flagsOf, positionalsOf } from '../operations/flags.ts'
import { placeholder } from '../operations/parameter-value.ts'
import { find } from './find.ts'

/** The flag of the field in an error: `--due-date` for `dueDate`, `<task>` for an id without a flag. */
export function flagOfField(words: readonly string[], path: string): string {
  const { operation } = find(words)
  if (operation === undefined) return path
  // for a list, the path includes the item
  const isOf = ({ name }: { name: string }) => path === name || path.startsWith(`${name}.`)
  const place = positionalsOf(operation).find(isOf)
  const flag = flagsOf(operation).find(({ parameter }) => isOf(parameter))
  return place ? placeholder(place) : flag ? `--${flag.name}` : path
}
