interface Report {
  groupBy: string[]
  data: {
    group: Record<string, { id: string | null; name: string | null }>
    seconds: number
    billableSeconds: number
    entries: number
  }[]
}

/** A report as CSV (RFC 4180), a row for each group: safe to open in a spreadsheet. */
export function toCsv({ groupBy, data }: Report): string {
  const head = [...groupBy.flatMap((name) => [`${name}Id`, name]), 'seconds', 'billableSeconds', 'entries']
  const rows = data.map(({ group, seconds, billableSeconds, entries }) => [
    ...groupBy.flatMap((name) => [group[name]?.id ?? '', group[name]?.name ?? '']),
    ...[seconds, billableSeconds, entries].map(String),
  ])
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** @see OWASP, CSV injection: what a spreadsheet would take for a formula gets an apostrophe */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
