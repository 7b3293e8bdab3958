import type { General } from './general.ts'
import type { Given } from './parse.ts'

/** The value of a flag, or undefined. */
export const textOfFlag = ({ texts }: Given, name: General | (string & {})) => texts.get(name)?.at(-1)

/** Whether a switch is on; `--no-…` turns it off. */
export const isGiven = (given: Given, name: General | (string & {})) => textOfFlag(given, name) === 'true'
