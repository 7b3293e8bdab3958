import assert from 'node:assert/strict'
import { inspect } from 'node:util'

/** The error of this class with which something fails. */
export async function rejection<E>(
  failing: PromiseLike<unknown>,
  Class: abstract new (...given: never[]) => E,
): Promise<E> {
  const error = await failing.then(
    (data) => assert.fail(`no error, but ${inspect(data)}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Class, inspect(error))
  return error
}
