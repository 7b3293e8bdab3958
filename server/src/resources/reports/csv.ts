interface Report {
  groupBy: readonly string[]
  data: readonly ({ group: Record<string, { id: string | null; name: string | null } | undefined> } & object)[]
}

/**
 * A report as CSV (RFC 4180), a row for each group: safe to open in a spreadsheet.
 * @param sums the fields that are summed up, in their order
 */
export function toCsv({ groupBy, data }: Report, sums: readonly string[]): string {
  const head = [...groupBy.flatMap((name) => [`${name}Id`, name]), ...sums]
  const rows = data.map(({ group, ...fields }) => [
    ...groupBy.flatMap((name) => [group[name]?.id ?? '', group[name]?.name ?? '']),
    ...sums.map((name) => String((fields as Record<string, unknown>)[name] ?? '')),
  ])
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(text: string): string {
  const safe = unformulated(text)
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

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
