import type { Given, Taken } from '../arguments/parse.ts'
import type { Terminal } from '../terminal.ts'

/** A command that is no operation of the API. */
export interface OwnCommand {
  summary: string
  description?: string
  /** what stands behind its words, as help shows it */
  positionals?: string
  /** how many of them there may be at most; default: none */
  most?: number
  flags: Record<string, Taken>
  examples: readonly string[]
  run(given: Given, terminal: Terminal): Promise<void>
}
