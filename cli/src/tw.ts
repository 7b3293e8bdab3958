import { run } from './main.ts'
import { processTerminal } from './process-terminal.ts'

/** Runs the command line of this process. @returns the exit code */
export const runHere = () => run(process.argv.slice(2), processTerminal())
