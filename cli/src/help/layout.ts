import type { Output } from '../terminal.ts'

const widthFor = ({ isTerminal, columns }: Output) => Math.max(40, Math.min(isTerminal ? (columns ?? 80) : 100, 100))
const widestName = 32

/** Names with their descriptions in a second column, wrapped to the width. */
export function twoColumns(rows: readonly (readonly [string, string])[], out: Output): string {
  const first = Math.min(widestName, Math.max(0, ...rows.map(([name]) => name.length)))
  const indent = ' '.repeat(first + 4)
  return rows
    .map(([name, text]) => {
      const wrapped = wrap(text, widthFor(out) - indent.length)
      const head = name.length > first && text !== '' ? `  ${name}\n${indent}` : `  ${name.padEnd(first)}  `
      return `${(head + wrapped.join(`\n${indent}`)).trimEnd()}\n`
    })
    .join('')
}

/** A text wrapped to the width. */
export const paragraph = (text: string, out: Output) => `${wrap(text, widthFor(out)).join('\n')}\n`

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
