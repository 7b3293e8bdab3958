// Prints the hours of each member and project in a week as CSV: node weekly-report.mjs [a day of that week]
import { Taskwright } from '@taskwright/client'

const { TASKWRIGHT_URL: baseUrl = 'http://127.0.0.1:3000', TASKWRIGHT_API_KEY: apiKey } = process.env
const tw = new Taskwright({ baseUrl, apiKey })

const [day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2)
const [from, to] = weekOf(day)
const { data, totals } = await tw.reports.time({
  groupBy: ['member', 'project'],
  startedAfter: from,
  startedBefore: to,
})

const rows = data.map(({ group: { member, project }, seconds, billableSeconds, entries }) => [
  ...[member?.name ?? '', project?.name ?? ''],
  ...[hours(seconds), hours(billableSeconds), entries],
])
rows.sort(([one, first], [other, second]) => one.localeCompare(other) || first.localeCompare(second))
rows.unshift(['member', 'project', 'hours', 'billable hours', 'entries'])
rows.push(['all', '', hours(totals.seconds), hours(totals.billableSeconds), totals.entries])
for (const row of rows) console.log(row.map(cell).join(','))

/** The Monday of the week with this day, and the next Monday, in UTC. */
function weekOf(day) {
  const monday = new Date(`${day}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  const next = new Date(monday)
  next.setUTCDate(next.getUTCDate() + 7)
  return [monday.toISOString(), next.toISOString()]
}

function hours(seconds) {
  return (seconds / 3_600).toFixed(2)
}

/** A CSV cell (RFC 4180). Values that a spreadsheet would read as formulas become text. */
function cell(value) {
  const text = /^[=+@-]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
