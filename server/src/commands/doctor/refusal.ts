import { isSaidByDatabase } from '../../db/pool/failures.ts'
import { StartupProblem } from '../../db/pool/startup-problem.ts'
import { type Finding, wrong } from './finding.ts'

/** Looks at something; what the database, or a start, would refuse is what is found then. */
export async function orRefusal(check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof StartupProblem || isSaidByDatabase(error)) return [wrong(check, (error as Error).message)]
    throw error
  }
}
