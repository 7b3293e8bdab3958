/**
 * A value that always exists: a row that this transaction has locked, a sum, the one row of the instance.
 * @throws Error when it does not, which is our own mistake: a 500 that is logged, never a 404
 */
export function expected<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
