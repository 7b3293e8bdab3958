import { isatty } from 'node:tty'
import pino from 'pino'
import type { Config } from '../config.ts'
import { databaseErrorDetails, failureOf } from '../db/pool/failures.ts'
import { prettyLine } from './pretty.ts'
import { sampleRepeatedLines } from './sampling.ts'

const standardError = 2

/** Opens the log on standard error: lines of JSON, or lines for a person on a terminal. Each line contains `base`. */
export function openLog(
  { logLevel, logTime, logFormat }: Pick<Config, 'logLevel' | 'logTime' | 'logFormat'>,
  base: { pid: number } | null,
): pino.Logger {
  const isPretty = (logFormat ?? (isatty(standardError) ? 'pretty' : 'json')) === 'pretty'
  const options = {
    level: logLevel,
    base,
    ...(logTime === 'iso' ? { timestamp: pino.stdTimeFunctions.isoTime } : {}),
    serializers: { err: errorForLog },
    hooks: { logMethod: sampleRepeatedLines() },
  }
  // a person is watching: write each line at once
  if (isPretty) return pino(options, { write: (line) => void process.stderr.write(prettyLine(line)) })
  return pino(options, destination(base !== null))
}

/**
 * The part of an error that is logged. An expected error is one sentence. Errors of the database lose everything that may be
 * customer data: their details, and quoted values in messages about data.
 */
function errorForLog(error: Error): object {
  const said = databaseErrorDetails(error)
  if (failureOf(error) !== undefined) return { type: error.name, code: said?.code, message: error.message }
  if (said) return said
  if (error.cause instanceof Error) {
    return { type: error.name, message: error.message, stack: error.stack, cause: errorForLog(error.cause) }
  }
  return pino.stdSerializers.err(error)
}

function destination(isShared: boolean) {
  // writes up to this size are atomic on a pipe that several processes share
  const maxWrite = isShared ? 4_096 : 16_384
  // lines are written in batches: a write for each seven of them took a tenth of the time of a page
  const together = { sync: false, minLength: maxWrite / 2, maxWrite, periodicFlush: 100 }
  const opened = pino.destination({ dest: standardError, ...together, maxLength: mostUnwritten })
  // a full disk costs lines, not requests; without this the process could not end until there is room
  const { flushSync } = opened
  opened.on('error', () => {
    opened.flushSync = () => {}
  })
  opened.on('write', () => {
    opened.flushSync = flushSync
  })
  return opened
}

// bytes of lines that may wait to be written; further lines are dropped
const mostUnwritten = 8_388_608
