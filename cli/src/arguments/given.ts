import type { General } from './general.ts'
import type { Given } from './parse.ts'

/** The text that a flag was given with, or undefined. */
export const textOfFlag = ({ texts }: Given, name: General | (string & {})) => texts.get(name)?.at(-1)

/** Whether a fact was given, and not as `--no-…`. */
export const isGiven = (given: Given, name: General | (string & {})) => textOfFlag(given, name) === 'true'
