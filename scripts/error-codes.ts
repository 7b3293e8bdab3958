import { STATUS_CODES } from 'node:http'
import { errorCodes } from '../server/src/for-tools.ts'
import { tableOf, withText } from './generated.ts'

/** Adds all error codes to the page of errors, by status. */
export function withErrorCodes(page: string): string {
  const codes = Object.entries(errorCodes)
  const statuses = [...new Set(codes.map(([, [status]]) => status))].sort((one, other) => one - other)
  const sections = statuses.map((wanted) => {
    const rows = codes
      .filter(([, [status]]) => status === wanted)
      .map(([code, [, when, remedy]]) => [`\`${code}\``, when, remedy])
    return `\n### ${wanted} ${STATUS_CODES[wanted]}\n\n${tableOf([['code', 'when', 'what to do'], ...rows])}`
  })
  return withText(page, 'docs/errors.md', `${sections.join('')}\n`)
}
