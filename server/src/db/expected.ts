/**
 * A value that is always there: a row that this transaction holds, a sum, the one row of the instance.
 * @throws Error when it is not, which is a mistake of ours: a 500 that is logged, never a 404
 */
export function expected<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
