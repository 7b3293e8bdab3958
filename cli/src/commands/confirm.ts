import { inOneLine } from '../output/escape.ts'
import { DeclinedError } from '../problems.ts'
import { canAsk, type Terminal } from '../terminal.ts'

/** Asks before a deletion, if a user can answer. @throws Declined unless the answer is yes */
export async function confirmDeletion(what: string, terminal: Terminal): Promise<void> {
  if (!canAsk(terminal)) return
  const answer = await terminal.input.ask(`${inOneLine(what)}. Continue? [y/N] `)
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new DeclinedError('Nothing was deleted.')
}
