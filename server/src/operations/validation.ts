import type { z } from 'zod'
import { flatten, invalid } from '../contract/errors.ts'
import type { Route } from './route.ts'

interface RequestParts {
  query: unknown
  body: unknown
}

/**
 * Parses query and body by the schemas of a route.
 * @throws 422 that names each invalid field
 */
export function validate(route: Pick<Route, 'query' | 'body'>, given: RequestParts): RequestParts {
  const { query, body = {} } = given
  const readQuery = route.query.safeParse(query, { error: plainly })
  const readBody = route.body?.safeParse(body, { error: plainly })
  if (readQuery.success && readBody?.success !== false) return { query: readQuery.data, body: readBody?.data }
  const inQuery = flatten(withRequiredMessages(readQuery.error, query), 'Unknown parameter')
  const inBody = flatten(withRequiredMessages(readBody?.error, body), 'Unknown field')
  const fieldErrors = { ...inQuery.fieldErrors, ...inBody.fieldErrors }
  throw invalid(fieldErrors, [...inQuery.formErrors, ...inBody.formErrors], Object.keys(inQuery.fieldErrors))
}

/** The message of an issue if its field has no message of its own. */
export function plainly(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return `Must be ${kinds[issue.expected] ?? 'something else'}`
  if (issue.code === 'invalid_value')
    return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
  if (issue.code === 'too_small') return bounded('least', issue.minimum, issue.origin)
  if (issue.code === 'too_big') return bounded('most', issue.maximum, issue.origin)
  return 'Has the wrong format'
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function bounded(end: 'least' | 'most', bound: number | bigint, origin: string): string {
  const counted = { string: 'character', array: 'item' }[origin]
  if (counted === undefined) return `Must be at ${end} ${bound}`
  return `Must have at ${end} ${bound} ${counted}${bound === 1 ? '' : 's'}`
}

/** Reports a missing field as `Required`, not as a wrong type. */
export function withRequiredMessages(error: z.ZodError | undefined, input: unknown): z.core.$ZodIssue[] {
  return (error?.issues ?? []).map((issue) =>
    issue.code !== 'custom' && issue.path.length > 0 && valueAt(input, issue.path) === undefined
      ? { ...issue, message: 'Required' }
      : issue,
  )
}

const valueAt = (input: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], input)
