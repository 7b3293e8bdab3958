import type { Database } from '../../src/db/pool/database.ts'
import { type Job, runOnce } from '../../src/jobs/job.ts'

/** Runs a job once, as if it were `now`. @returns why it failed, by the organization in which it did */
export async function ranOnce(db: Database, run: Job['run'], now = new Date()): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>()
  const failed = (orgId: string, error: unknown) => void failures.set(orgId, error)
  await runOnce({ run }, { db, now, signal: new AbortController().signal, failed })
  return failures
}
