import type { Command } from './command.ts'

const aboutFrom = 40

/** What --help says of the commands. */
export const usageOf = (commands: readonly Command[]): string =>
  commands
    .filter(({ about }) => about.length > 0)
    .map(({ name, line, about }) => entry(line === '' ? name : `${name} ${line}`, about))
    .join('\n')

/** What is typed, and to the right of it, or below it where it is long, what that does. */
export function entry(typed: string, about: readonly string[]): string {
  const left = `  ${typed}`
  const lines = left.length < aboutFrom - 1 ? [left, ...about.slice(1).map(() => '')] : [left, ...about.map(() => '')]
  const right = left.length < aboutFrom - 1 ? about : ['', ...about]
  return lines.map((start, n) => `${start.padEnd(aboutFrom)}${right[n]}`.trimEnd()).join('\n')
}
