import { called } from './cells.ts'

/** Rows as CSV (RFC 4180), safe to open in a spreadsheet. @see OWASP, CSV injection */
export const csvOf = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  // a number below zero is no formula
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : textOf(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What is included goes by its name, as in a table. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : called(value as object)
