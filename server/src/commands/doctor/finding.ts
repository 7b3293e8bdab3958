import { isDatabaseError } from '../../db/pool/failures.ts'
import { StartupProblem } from '../../db/pool/startup-problem.ts'

/** The result of a check. If it is not `ok`, it tells the operator what to do. */
export interface CheckResult {
  /** the checked part, in a word or two */
  check: string
  /** `wrong`: the server does not start, or it can lose data; `warning`: it works, but somebody should look */
  state: 'ok' | 'warning' | 'wrong'
  /** one line */
  says: string
}

const finding = (state: CheckResult['state']) => (check: string, says: string) => ({
  check,
  state,
  says: says
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' '),
})

/** Creates a finding without a problem. */
export const ok = finding('ok')

/** Creates a finding for a server that works, but that somebody should look at. */
export const warning = finding('warning')

/** Creates a finding for a server that does not start, or can lose data. */
export const wrong = finding('wrong')

/** Runs a check. An error of PostgreSQL, or a reason not to start, becomes a finding. */
export async function orRefusal(check: string, look: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof StartupProblem || isDatabaseError(error)) return [wrong(check, (error as Error).message)]
    throw error
  }
}
