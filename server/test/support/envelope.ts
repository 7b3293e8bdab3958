import assert from 'node:assert/strict'
import { longestMessage } from '../../src/contract/errors.ts'
import type { Reply } from './world.ts'

/**
 * Asserts that a reply is a refusal in the one envelope of all refusals: an English `error`, `details` on 422 only.
 * @see docs/contract.md §7.1
 */
export function assertRefused({ status, headers, body, text }: Reply, wanted: number, code?: string): void {
  assert.equal(status, wanted, text)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(headers.get('x-request-id') ?? '', /^[\w.-]{1,128}$/)
  assert.match(headers.get('x-error-code') ?? '', /^[a-z_]+$/)
  if (code !== undefined) assert.equal(headers.get('x-error-code'), code)
  assert.deepEqual(Object.keys(body), status === 422 ? ['error', 'details'] : ['error'])
  assert.match(body.error, /^[A-Z][\w-]+,? \w/, 'an English sentence, not a key that is still to be translated')
}

/** Asserts a validation failure and gives its details. @see docs/contract.md §7.5 */
export function detailsOf(reply: Reply): { formErrors: string[]; fieldErrors: Record<string, string[]> } {
  assertRefused(reply, 422, 'validation_failed')
  const { error, details } = reply.body
  assert.equal(error, 'Validation failed')
  assert.deepEqual(Object.keys(details), ['formErrors', 'fieldErrors'])
  const messages = [details.formErrors, ...Object.values(details.fieldErrors)]
  for (const list of messages) assert.ok(Array.isArray(list) && list.every((one) => typeof one === 'string'))
  for (const one of messages.flat()) assert.ok(one.length <= longestMessage, one)
  assert.ok(messages.flat().length > 0, 'a validation failure says what failed')
  return details
}

/** The field paths that a validation failure names. */
export const invalidFields = (reply: Reply): string[] => Object.keys(detailsOf(reply).fieldErrors).sort()
