import { called } from './cells.ts'

/** Rows as CSV (RFC 4180), safe to open in a spreadsheet. @see OWASP, CSV injection */
export const csvOf = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  // a number below zero is no formula
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : textOf(value)
  const safe = unformulated(text)
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What is included goes by its name, as in a table. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : called(value as object)

/**
 * A text that no spreadsheet takes for a formula: an apostrophe stands before each part that would be one. The parts are those
 * of any separator that a spreadsheet may read the file with.
 * @see OWASP, CSV injection
 */
const unformulated = (text: string): string =>
  text
    .split(separators)
    .map((part) => (formula.test(part.trimStart()) ? `'${part}` : part))
    .join('')

// a comma is not among them: a text with one is quoted
const separators = /([;|\t\r\n\v\f\u0085\u2028\u2029])/
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/
