import { parseArgs } from 'node:util'

export const usage = `npm run bench -- [options]

  --small            a fiftieth of the data
  --quick            the small data, short rounds, the main rows; ends with status 1 when a ratio is far off
  --only <part>      the families of rows with it in their names; one that is not there lists them all
  --fresh            make the data again
  --rounds <number>  5
  --seconds <number> of a round: 3
  --noisy            instead: an ordinary organization beside one that does its worst
  --minutes <number> of all its ways together: 1
  --ways <part>      of --noisy only the ways with it in their names; "by one": all of them by one organization
  --tenants <number> instead: so many organizations of ten people on one server
  --soak <minutes>   also mixed load for so long, to see what becomes of the memory
  --generator <name> wrk, where it is installed, else autocannon
  --rival <file>     measure another server too; see bench/README.md

DATABASE_URL: a PostgreSQL to use instead of the embedded one.`

export interface Options {
  help: boolean
  small: boolean
  quick: boolean
  fresh: boolean
  /** a part of the names of the families that are wanted */
  only: string
  rounds: number
  seconds: number
  soakMinutes: number | undefined
  noisy: boolean
  minutes: number
  /** a part of the names of the rows of `noisy` that are wanted */
  ways: string
  /** how many organizations there are */
  tenants: number | undefined
  generator: string | undefined
  /** a file */
  rival: string | undefined
}

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

/** @throws Error for words that make no sense */
export function readOptions(words: readonly string[]): Options {
  const known = { help: { ...flag, short: 'h' }, small: flag, quick: flag, fresh: flag, noisy: flag }
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...{ ...known, rounds: text, seconds: text, soak: text, minutes: text, rival: text, generator: text },
      ...{ only: { ...text, default: '' }, ways: { ...text, default: '' }, tenants: text },
    },
  })
  const { help, quick, fresh, noisy } = values
  return {
    ...{ help, quick, fresh, noisy, small: values.small || quick },
    rounds: positive('--rounds', values.rounds) ?? (quick ? 3 : 5),
    seconds: positive('--seconds', values.seconds) ?? (values.tenants ? 60 : noisy ? (quick ? 3 : 10) : quick ? 1 : 3),
    minutes: positive('--minutes', values.minutes) ?? (quick ? 0.2 : 1),
    ...{ only: values.only, ways: values.ways, tenants: positive('--tenants', values.tenants) },
    soakMinutes: positive('--soak', values.soak),
    ...{ generator: values.generator, rival: values.rival },
  }
}

function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (!(number > 0)) throw new Error(`${name} must be a number above 0`)
  return number
}
