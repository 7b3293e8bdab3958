import type { FlagValue, ParsedArguments } from '../arguments/parse.ts'
import type { Terminal } from '../terminal.ts'

/** A command that is not an operation of the API. */
export interface OwnCommand {
  summary: string
  description?: string
  /** its positional arguments, as in help */
  positionals?: string
  /** the maximum number of positionals; default: none */
  most?: number
  flags: Record<string, FlagValue>
  examples: readonly string[]
  run(given: ParsedArguments, terminal: Terminal): Promise<void>
}
