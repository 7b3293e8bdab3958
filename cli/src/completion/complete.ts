import { inOneLine } from '../output/escape.ts'
import type { Terminal } from '../terminal.ts'
import type { Candidate } from './candidate.ts'
import { candidatesFor } from './candidates.ts'
import { lastWordIn } from './line.ts'

/**
 * Answers a shell: a line for each word that may be typed next. Nothing is said of what goes wrong.
 * @param asked the shell and what was typed: of bash its line up to the cursor, and what it takes for the last word
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

/** By the quote that is open: how bash takes a text for what it is, and runs nothing that stands in it. */
const kept: Readonly<Record<string, (text: string) => string>> = {
  '': (text) => text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&'),
  // what `!` brings back of before, quotes alone do not keep away
  '"': (text) => text.replace(/[$`"\\]/g, '\\$&').replaceAll('!', `"\\!"`),
  "'": (text) => text.replaceAll("'", `'\\''`),
}

/** How much of the last word bash replaces: what it takes for it, unless that is only what words are taken apart at. */
function lengthBehindBreak(taken: string, current: string): number {
  const own = taken.replace(/^["']/, '')
  return /^[@=:]*$/.test(own) || !current.endsWith(own) ? (current.split(/[@=:]/).at(-1) ?? '').length : own.length
}
