import type { General } from './general.ts'
import type { ParsedArguments } from './parse.ts'

/** The value of a flag, or undefined. */
export const textOfFlag = ({ texts }: ParsedArguments, name: General | (string & {})) => texts.get(name)?.at(-1)

/** Whether a switch is on; `--no-…` turns it off. */
export const isGiven = (given: ParsedArguments, name: General | (string & {})) => textOfFlag(given, name) === 'true'
