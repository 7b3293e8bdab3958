import pg from 'pg'
import { StartupProblem } from './startup-problem.ts'

/** A transaction that did not begin, or did not roll back when told to. Nothing of it was committed; it may be run again. */
export class TransactionLost extends Error {
  constructor(options?: ErrorOptions) {
    super('A transaction was not run as it was asked for', options)
  }
}

/**
 * What a failure of the database means: `again` when the same transaction may succeed if it is run again, `unavailable`
 * when the database cannot answer just now, `crowded` when too many wait for a connection already, `long`
 * when a transaction took too long and was rolled back, `closed` when this server is ending, else undefined.
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
  // a database that rejects logins, or is read-only as after a failover, or has lost the prepared statements of a connection
  if (/^(28...|3D000|55000|25006|26000|42P05)$/.test(code)) return 'unavailable'
  if (/^(E(CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOENT|NOTFOUND|PIPE|TIMEDOUT)|EAI_AGAIN)$/.test(code)) {
    return 'unavailable'
  }
  return code === 'UNREACHABLE' ? 'unavailable' : undefined
}

/**
 * Whether a disk is full, has become read-only or fails: that of the database, or one of this machine. PostgreSQL has one code for
 * what the operating system forbids and for a missing right; only the former names the reason of the operating system.
 */
export function isDiskFailure(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (code === '42501')
    return /: (Read-only file system|Operation not permitted|Permission denied)$/.test(String(error))
  return /^(53100|58...|EROFS|EIO|ENOSPC|EDQUOT)$/.test(code)
}

/** Whether a write was refused because the database only reads. */
export const isReadOnlyFailure = (error: unknown): boolean => codeOf(error) === '25006'

/** Whether none of the connections of a pool was free in time; the driver gives this no code. */
export const isWaitForConnection = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** Whether the connection is of no more use: broken, shut down, to a read-only server, or without our prepared statements. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(57P..|25006|26000|42P05)$/.test(error.code ?? '')

/** Whether the error comes from the database itself. */
export const isSaidByDatabase = (error: unknown): boolean => error instanceof pg.DatabaseError

/** Whether a node of a Citus cluster is lost in the middle of a transaction: of that Citus says only a sentence, without a code. */
const isOfLostNode = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code?.startsWith('08') || error.message.startsWith('failure on connection marked as essential')) === true

/** What the database says of a failure, without data of customers; undefined when the error is not the database's. */
export function saidByDatabase(error: unknown) {
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

/** Whether a statement divided by zero: the way in which a check that is sent without waiting fails. */
export const isDividedByZero = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '22012'

/**
 * The constraint that a statement violated. What a node of Citus says reaches us as a sentence alone, with the shard's number
 * behind the name; that is taken off.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('23')) return undefined
  const name = error.constraint ?? / constraint "([^"]+)"/.exec(error.message)?.[1]
  return name?.replace(/_\d{6,}$/, '')
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  // the driver gives these no code
  return /Connection terminated|timeout e(xceeded when trying to connect|xpired)|Query read timeout|not queryable/.test(
    error.message,
  )
    ? 'UNREACHABLE'
    : undefined
}
