import pino from 'pino'
import { failureOf, saidByDatabase } from '../db/pool/failures.ts'

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
