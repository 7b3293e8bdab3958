import pino from 'pino'
import type { Config } from './config.ts'
import { failureOf, saidByDatabase } from './db/failures.ts'

/** The log: lines of JSON on standard error. `base` is in each of them. */
export function openLog({ logLevel }: Config, base: { pid: number } | null): pino.Logger {
  // writes up to this size are atomic on a pipe that several processes share
  const maxWrite = base ? 4_096 : 16_384
  // lines are written in batches: a write for each seven of them took a tenth of the time of a page
  const together = { sync: false, minLength: maxWrite / 2, maxWrite, periodicFlush: 100 }
  const destination = pino.destination({
    dest: 2,
    ...together,
    maxLength: mostUnwritten,
  })
  // a full disk costs lines, not requests; without this the process could not end until there is room
  const { flushSync } = destination
  destination.on('error', () => {
    destination.flushSync = () => {}
  })
  destination.on('write', () => {
    destination.flushSync = flushSync
  })
  return pino(
    { level: logLevel, base, serializers: { err: errorForLog }, hooks: { logMethod: throttled() } },
    destination,
  )
}

// bytes of lines that may wait to be written; further lines are dropped
const mostUnwritten = 8_388_608

/**
 * What is logged of an error. An expected one is one sentence. From the database's errors all is removed that may be data of
 * customers: details, and what is in quotes in messages about data.
 */
export function errorForLog(error: Error): object {
  const said = saidByDatabase(error)
  if (failureOf(error) !== undefined) return { type: error.name, code: said?.code, message: error.message }
  if (said) return said
  if (error.cause instanceof Error) {
    return { type: error.name, message: error.message, stack: error.stack, cause: errorForLog(error.cause) }
  }
  return pino.stdSerializers.err(error)
}

const warning = 40
const mostEqualLines = 10
const windowMs = 1_000

/** Leaves out a warning or error after its tenth time in a second, and then logs how many were left out. */
function throttled(): NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']> {
  const lines = new Map<string, { written: number; leftOut: number }>()
  return function (args, method, level) {
    if (level < warning) return method.apply(this, args)
    const said = kindOf(args)
    const soFar = lines.get(said) ?? open(said, (leftOut, line) => method.call(this, { leftOut }, line))
    if (soFar.written < mostEqualLines) {
      soFar.written++
      return method.apply(this, args)
    }
    soFar.leftOut++
  }

  function open(said: string, tell: (leftOut: number, line: string) => void) {
    const counted = { written: 0, leftOut: 0 }
    lines.set(said, counted)
    setTimeout(() => {
      lines.delete(said)
      if (counted.leftOut > 0) tell(counted.leftOut, said)
    }, windowMs).unref()
    return counted
  }
}

// the sentence, and what kind of error it is about
function kindOf(args: readonly unknown[]): string {
  const { err } = (typeof args[0] === 'object' && args[0] !== null ? args[0] : {}) as { err?: unknown }
  const line = args.findLast((argument) => typeof argument === 'string') ?? ''
  if (!(err instanceof Error)) return line
  return `${line} (${'code' in err ? err.code : err.name})`
}
