import { isGiven, textOfFlag } from '../arguments/given.ts'
import type { ParsedArguments } from '../arguments/parse.ts'
import type { CallOptions } from '../client.ts'
import type { Operation } from '../operations/operation.ts'
import { rowsIn } from '../output/rows.ts'
import type { Form } from '../output/view.ts'
import { WrongUse } from '../problems.ts'
import type { Terminal } from '../terminal.ts'

/** The call options that general flags set. */
export function callOptions(given: ParsedArguments, { interrupted }: Terminal): CallOptions {
  const [version, idempotencyKey] = [textOfFlag(given, 'if-match'), textOfFlag(given, 'idempotency-key')]
  return {
    signal: interrupted,
    ...(version === undefined ? {} : { ifMatch: /^[\w.-]+$/.test(version) ? `"${version}"` : version }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(isGiven(given, 'dry-run') ? { dryRun: true } : {}),
  }
}

/** The output format. @throws WrongUse if the operation does not support it */
export function formOf(
  given: ParsedArguments,
  { list, csv, answers = '' }: Pick<Operation, 'list' | 'csv' | 'answers'>,
): Form {
  const hasFilter = textOfFlag(given, 'jq') !== undefined
  const [json, asCsv] = [isGiven(given, 'json') || hasFilter, isGiven(given, 'csv')]
  if (json && asCsv) throw new WrongUse(`--${hasFilter ? 'jq' : 'json'} and --csv exclude each other. Use one of them.`)
  if (isGiven(given, 'web') && (json || asCsv || isGiven(given, 'all')))
    throw new WrongUse('--web opens a page. Omit --json, --csv, --jq and --all.')
  if (asCsv && !list && !csv && !Object.hasOwn(rowsIn, answers))
    throw new WrongUse('--csv works only with lists and reports.')
  if (isGiven(given, 'all') && !list) throw new WrongUse('--all works only with lists.')
  return json ? 'json' : asCsv ? 'csv' : 'people'
}

/** @throws WrongUse for a flag that the server would silently ignore */
export function refuseUnheeded(given: ParsedArguments, method: string): void {
  if (method === 'GET' && isGiven(given, 'dry-run')) throw new WrongUse('--dry-run works only with writes.')
  if (method !== 'POST' && textOfFlag(given, 'idempotency-key') !== undefined)
    throw new WrongUse('--idempotency-key works only with creates and actions. You can repeat this command without it.')
}

/** Runs a command and pipes its output through `--jq`, if given. */
export async function throughFilter(
  given: ParsedArguments,
  terminal: Terminal,
  run: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const filter = textOfFlag(given, 'jq')
  if (filter === undefined) return run(terminal)
  return (await import('../jq/through-jq.ts')).throughJq(filter, terminal, run)
}
