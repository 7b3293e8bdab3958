import pg from 'pg'
import { StartupProblem } from './startup-problem.ts'

/** A transaction that did not begin or did not roll back as requested. Nothing was committed, so it may run again. */
export class TransactionLost extends Error {
  constructor(options?: ErrorOptions) {
    super('A transaction was not run as it was asked for', options)
  }
}

/**
 * The meaning of a database failure. `again`: the same transaction may succeed if it runs again. `unavailable`: the database
 * cannot respond just now. `crowded`: too many requests wait for a connection. `long`: the transaction took too long and was
 * rolled back. `closed`: this server is stopping. undefined: another error.
 * @see PostgreSQL, appendix A: error codes
 */
export function failureOf(error: unknown): 'again' | 'unavailable' | 'crowded' | 'long' | 'closed' | undefined {
  if (error instanceof TransactionLost) return 'again'
  if (error instanceof StartupProblem) return 'unavailable'
  const code = codeOf(error)
  if (code === undefined) return undefined
  if (code === '40001' || code === '40P01') return 'again'
  if (isOfLostNode(error)) return 'unavailable'
  if (code === 'CROWDED') return 'crowded'
  if (code === 'TOOK_LONG') return 'long'
  if (code === 'CLOSED') return 'closed'
  if (isDiskFailure(error)) return 'unavailable'
  // lock and statement timeouts, disk and memory full, too many connections, shutdown, connection failures
  if (/^(55P03|57014|53...|57P0.|25P0[34]|08...)$/.test(code)) return 'unavailable'
  // a database that rejects logins, is read-only as after a failover, or has lost the prepared statements of a connection
  if (/^(28...|3D000|55000|25006|26000|42P05)$/.test(code)) return 'unavailable'
  if (/^(E(CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOENT|NOTFOUND|PIPE|TIMEDOUT)|EAI_AGAIN)$/.test(code)) {
    return 'unavailable'
  }
  return code === 'UNREACHABLE' ? 'unavailable' : undefined
}

/**
 * Whether a disk of the database or of this machine is full, read-only or broken. PostgreSQL uses code 42501 both for a refusal
 * by the operating system and for a missing privilege. Only the former quotes the operating system.
 */
export function isDiskFailure(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (code === '42501')
    return /: (Read-only file system|Operation not permitted|Permission denied)$/.test(String(error))
  return /^(53100|58...|EROFS|EIO|ENOSPC|EDQUOT)$/.test(code)
}

/** Whether the database refused a write because it is read-only. */
export const isReadOnlyFailure = (error: unknown): boolean => codeOf(error) === '25006'

/** Whether no connection of a pool became free in time. The driver has no code for this error. */
export const isPoolTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** Whether the connection is useless: broken, shut down, read-only, or without our prepared statements. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(57P..|25006|26000|42P05)$/.test(error.code ?? '')

/** Whether the error comes from the database itself. */
export const isDatabaseError = (error: unknown): boolean => error instanceof pg.DatabaseError

/** Whether Citus lost a node during a transaction. It reports this without a code, only as a sentence. */
const isOfLostNode = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code?.startsWith('08') || error.message.startsWith('failure on connection marked as essential')) === true

/** The fields of a database error for the log, without customer data; undefined for any other error. */
export function databaseErrorDetails(error: unknown) {
  if (!(error instanceof pg.DatabaseError)) return undefined
  const { name: type, code, table, column, constraint, routine, message, stack = '' } = error
  return {
    ...{ type, code, table, column, constraint, routine },
    // errors about data quote it; all others quote only names of tables and the like
    message: code?.startsWith('22') ? message.replace(/".*"/s, '"…"') : message,
    // without the message, with which a stack begins
    stack: stack.slice(stack.search(/\n +at /) + 1),
  }
}

/** Whether a statement divided by zero, which is how a check that is sent without waiting fails. */
export const isDividedByZero = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '22012'

/**
 * The constraint that a statement violated. An error of a Citus node reaches us only as a sentence, in which the name ends with
 * the number of the shard. The number is removed.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('23')) return undefined
  const name = error.constraint ?? / constraint "([^"]+)"/.exec(error.message)?.[1]
  return name?.replace(/_\d{6,}$/, '')
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  // the driver has no code for these errors
  return /Connection terminated|timeout e(xceeded when trying to connect|xpired)|Query read timeout|not queryable/.test(
    error.message,
  )
    ? 'UNREACHABLE'
    : undefined
}
