import type { Output } from '../terminal.ts'
import { cellIn, type NamesById, named, shown } from './cells.ts'
import type { Paint } from './colours.ts'
import { inLines } from './escape.ts'
import type { View } from './view.ts'
import { padded } from './width.ts'

/**
 * Writes a resource: a line for each field that has a value or that the user asked for.
 * @param parts fields shown by name; other objects are shown in full
 */
export function writeLines(
  resource: Record<string, unknown>,
  { columns, isChosen }: Pick<View, 'columns' | 'isChosen'>,
  parts: readonly string[],
  out: Output,
  paint: Paint,
  learned: NamesById,
): void {
  const fields = columns?.map((column) => [column, cellIn(resource, column)] as const) ?? Object.entries(resource)
  const lines = fields
    .flatMap(([name, value]) => deeper(name, value, parts))
    .map(
      ([name, value]) => [name, inLines(shown(name.split('.').at(-1) ?? name, named(name, value, learned)))] as const,
    )
    .filter(([name, text]) => text !== '' || (isChosen && columns?.includes(name)))
  const width = Math.max(0, ...lines.map(([name]) => name.length))
  const indent = `\n${' '.repeat(width + 2)}`
  for (const [name, text] of lines) {
    out.write(`${paint('bold', padded(name, width))}  ${text.replaceAll('\n', indent)}`.trimEnd())
    out.write('\n')
  }
}

/** Writes each nested field in a line: `settings.timerPolicy`. */
function deeper(name: string, value: unknown, parts: readonly string[]): (readonly [string, unknown])[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || parts.includes(name.split('.').at(-1) ?? '')) return [[name, value]]
  return Object.entries(value).flatMap(([field, inner]) => deeper(`${name}.${field}`, inner, parts))
}
