import { readFileSync } from 'node:fs'
import { raw } from 'jq-wasm'

/** As the program does that it is compiled from: flags and a filter, JSON comes from standard input. */
const [filter = '.', ...flags] = process.argv.slice(2).toReversed()
console.log(await raw(readFileSync(0, 'utf8'), filter, flags.toReversed()))
