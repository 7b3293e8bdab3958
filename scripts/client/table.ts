import { literal } from './literals.ts'
import type { Call } from './operation.ts'

/** The table of operations, one per line: the runtime creates the methods from it. */
export function operationTable(calls: readonly Call[]): string {
  const lines = calls.map(
    ({ name, method, path, kind }) => `  [${[name, method, path, kind].map(literal).join(', ')}],\n`,
  )
  return `/** By name: the method, the path below /api/v1, and what stands behind the ids: the query of a list or of another
 * operation, a body, or nothing. */
export const operations = [
${lines.join('')}] as const
`
}
