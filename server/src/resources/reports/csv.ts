interface Report {
  groupBy: readonly string[]
  data: readonly ({ group: Record<string, { id: string | null; name: string | null } | undefined> } & object)[]
}

/**
 * A report as CSV (RFC 4180), with a row for each group, safe to open in a spreadsheet.
 * @param sums the names of the sums, in the order of their columns
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
 * A text that no spreadsheet reads as a formula: an apostrophe goes before each part that looks like one. The text is
 * split at every separator that a spreadsheet may use.
 * @see OWASP, CSV injection
 */
const unformulated = (text: string): string =>
  text
    .split(separators)
    .map((part) => (formula.test(part) ? `'${part}` : part))
    .join('')

// no comma here: a text with a comma is quoted
const separators = /([;|\t\r\n\v\f\u0085\u2028\u2029])/
// a reader with another separator drops a quote that begins a part
const formula = /^["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/
