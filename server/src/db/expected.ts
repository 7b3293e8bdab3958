/**
 * Unwraps a value that always exists: a row that this transaction has locked, a sum, the one row of the instance.
 * @throws Error if it does not exist, which is our bug: a 500 in the log, never a 404
 */
export function expected<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
