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

/** @see OWASP, CSV injection: what a spreadsheet would take for a formula gets an apostrophe */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
