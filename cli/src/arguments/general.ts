import type { Taken } from './parse.ts'

/** What every command takes. */
export const general = {
  json: { help: 'the answer as JSON; with --all one item in a line' },
  jq: { value: 'filter', help: 'the answer through a filter of the program jq; texts without quotes' },
  csv: { help: 'a list as CSV, safe to open in a spreadsheet' },
  columns: { value: 'a,b', help: 'which columns a table, --csv or one resource has' },
  all: { help: 'all pages of a list' },
  body: { value: '@file|-', help: 'the body as JSON: text, of a file or of standard input; flags go before it' },
  web: { help: 'open the page of the console instead; without a browser print its address' },
  yes: { short: 'y', help: 'delete without being asked' },
  'dry-run': { help: 'everything is checked and answered as it would be, and nothing is done' },
  'if-match': { value: 'version', help: 'only while this is its version; of a task by its key: id.version' },
  'idempotency-key': { value: 'key', help: 'of a create or an action: the same key, the same effect, once' },
  timeout: { value: '30s', help: 'how long each attempt may take' },
  profile: { value: 'name', help: 'as whom, where you are signed in several times' },
  verbose: { short: 'v', help: 'say more of what went wrong' },
  help: { short: 'h', help: 'say how it is used' },
} satisfies Record<string, Taken>

export type General = keyof typeof general

/** A length of time such as `30s`, `500ms`, `2m` or, in seconds, `30`; undefined where it is none. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? []
  const ms = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN
  return count === undefined ? undefined : Number(count) * ms
}
