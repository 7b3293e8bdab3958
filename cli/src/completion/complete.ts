import { inOneLine } from '../output/escape.ts'
import type { Terminal } from '../terminal.ts'
import type { Candidate } from './candidate.ts'
import { candidatesFor } from './candidates.ts'
import { lastWordIn } from './line.ts'

/**
 * Answers a shell with a line for each suggestion. It reports no errors.
 * @param asked the shell and the typed words; for bash, the line up to the cursor and bash's own last word
 */
export async function complete([shell, ...typed]: readonly string[], terminal: Terminal): Promise<void> {
  const { words, quote } = shell === 'bash' ? lastWordIn(typed[0] ?? '') : { words: typed, quote: '' }
  const current = words.at(-1) ?? ''
  const found = await candidatesFor(words.slice(0, -1), current, terminal).catch(() => [])
  const fitting = found.filter(
    ({ text }) => text.toLowerCase().startsWith(current.toLowerCase()) && inOneLine(text) === text,
  )
  const before = shell === 'bash' ? current.length - lengthBehindBreak(typed[1] ?? '', current) : 0
  const lines = fitting.map((one) => lineFor(shell ?? '', one, before, quote))
  if (lines.length > 0) terminal.out.write(`${lines.join('\n')}\n`)
}

function lineFor(shell: string, { text, about = '' }: Candidate, before: number, quote: string): string {
  const told = inOneLine(about.replace(/\s+/g, ' '))
  if (shell === 'fish') return about === '' ? text : `${text}\t${told}`
  if (shell === 'zsh') return `${text.replaceAll(':', '\\:')}${about === '' ? '' : `:${told}`}`
  const rest = text.slice(before)
  return kept[quote]?.(rest) ?? ''
}

/** Escapes a text for bash by its open quote, so that bash takes it literally and runs no part of it. */
const kept: Readonly<Record<string, (text: string) => string>> = {
  '': (text) => text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&'),
  // double quotes do not prevent history expansion by `!`
  '"': (text) => text.replace(/[$`"\\]/g, '\\$&').replaceAll('!', `"\\!"`),
  "'": (text) => text.replaceAll("'", `'\\''`),
}

/** The length of the part that bash replaces: its own last word, unless that is only a word-break character. */
function lengthBehindBreak(taken: string, current: string): number {
  const own = taken.replace(/^["']/, '')
  return /^[@=:]*$/.test(own) || !current.endsWith(own) ? (current.split(/[@=:]/).at(-1) ?? '').length : own.length
}
