import { called } from './cells.ts'

/** Rows as CSV (RFC 4180), safe to open in a spreadsheet. @see OWASP, CSV injection */
export const csvOf = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  // a negative number is not a formula
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : textOf(value)
  const safe = unformulated(text)
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** An included part is shown by its name, as in a table. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : called(value as object)

/**
 * Puts an apostrophe before each part of a text that a spreadsheet could read as a formula. The parts are split at every
 * separator with which a spreadsheet may read the file.
 * @see OWASP, CSV injection
 */
const unformulated = (text: string): string =>
  text
    .split(separators)
    .map((part) => (formula.test(part) ? `'${part}` : part))
    .join('')

// not a comma: a text with a comma is quoted
const separators = /([;|\t\r\n\v\f\u0085\u2028\u2029])/
// a reader with another separator drops a quote that begins a part
const formula = /^["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/
