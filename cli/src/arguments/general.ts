import type { FlagValue } from './parse.ts'

/** The flags of every command. */
export const general = {
  json: { help: 'print the response as JSON; with --all, one item per line' },
  jq: { value: 'filter', help: 'filter the response with the program jq; prints strings without quotes' },
  csv: { help: 'print a list as CSV that is safe to open in a spreadsheet' },
  columns: { value: 'a,b', help: 'show these columns in a table, with --csv or of one resource' },
  all: { help: 'get all pages of a list' },
  body: { value: '@file|-', help: 'the body as JSON: text, a file or standard input; flags override its fields' },
  web: { help: 'open the page in the console; without a browser, print its URL' },
  yes: { short: 'y', help: 'delete without asking' },
  'dry-run': { help: 'check the request and show the response, but change nothing' },
  'if-match': { value: 'version', help: 'write only if this is still the version; for a task by its key: id.version' },
  'idempotency-key': {
    value: 'key',
    help: 'for creates and actions: repeating the command with the same key has no further effect',
  },
  timeout: { value: '30s', help: 'time limit of each attempt' },
  profile: { value: 'name', help: 'the profile to use, if you have several' },
  verbose: { short: 'v', help: 'show more about errors' },
  help: { short: 'h', help: 'show help' },
} satisfies Record<string, FlagValue>

export type General = keyof typeof general

/** A duration such as `30s`, `500ms`, `2m`, or `30` for seconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? []
  const ms = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN
  return count === undefined ? undefined : Number(count) * ms
}
