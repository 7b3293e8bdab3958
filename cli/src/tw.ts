import { run } from './main.ts'
import { processTerminal } from './process-terminal.ts'

/** Runs what was typed, where it was typed. @returns the exit code */
export const runHere = () => run(process.argv.slice(2), processTerminal())
