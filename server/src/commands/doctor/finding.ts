import { isSaidByDatabase } from '../../db/pool/failures.ts'
import { StartupProblem } from '../../db/pool/startup-problem.ts'

/** What a check came to, and what to do where that is not `ok`. */
export interface Finding {
  /** what was looked at, in a word or two */
  check: string
  /** `wrong`: it does not start, or loses something; `warning`: it works, and somebody should look */
  state: 'ok' | 'warning' | 'wrong'
  /** one line */
  says: string
}

const finding = (state: Finding['state']) => (check: string, says: string) => ({
  check,
  state,
  says: says
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' '),
})

/** All is well. */
export const ok = finding('ok')

/** It works, and somebody should look. */
export const warning = finding('warning')

/** It does not start, or loses something. */
export const wrong = finding('wrong')

/** Looks at something; what the database, or a start, would refuse is what is found then. */
export async function orRefusal(check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof StartupProblem || isSaidByDatabase(error)) return [wrong(check, (error as Error).message)]
    throw error
  }
}
