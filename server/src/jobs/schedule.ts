import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Database } from '../db/pool/database.ts'
import { failureOf } from '../db/pool/failures.ts'
import { SessionLocks } from '../db/pool/session-locks.ts'
import { type Job, runOnce } from './job.ts'
import { JobTurns } from './job-turns.ts'

interface ScheduleOptions {
  connection: pg.ClientConfig
  logger: { warn(said: object, sentence: string): void }
  ran: (job: string, seconds: number, failures: number) => void
}

/**
 * Runs jobs until they are stopped: each at once, then at its own interval. One process on a database runs a job; when it ends,
 * another process takes the job over. Jobs have their own connections, so no request waits for them.
 * @returns function that stops them within about a second
 */
export function startJobs(jobs: readonly Job[], { connection, logger, ran }: ScheduleOptions): () => Promise<void> {
  const db = new Database({
    connection,
    poolSize: 4,
    // shorter than for requests, which go first
    lockTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    answerTimeoutMs: 15_000,
  })
  const stopping = new AbortController()
  // each waiting job adds a listener
  setMaxListeners(0, stopping.signal)
  let mayRun = new AbortController()
  const locks = new SessionLocks(connection, () => {
    mayRun.abort()
    mayRun = new AbortController()
  })
  const turns = new JobTurns()
  const loops = Promise.all(jobs.map(repeat))
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.race([loops, wait(stopTimeoutMs)])
    db.destroySockets()
    await Promise.all([locks.close(), loops])
    await db.close()
  }

  async function repeat(job: Job): Promise<void> {
    while (!stopping.signal.aborted) {
      const begunMs = performance.now()
      await attempt(job)
      const leftMs = Math.max(0, job.everyMs - (performance.now() - begunMs))
      await wait(leftMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  async function attempt(job: Job): Promise<void> {
    const begunMs = performance.now()
    let failures = 0
    const failed = (error: unknown, where: { orgId?: string }) => {
      failures++
      logger.warn({ job: job.name, ...where, ...told(error) }, 'a job failed')
    }
    try {
      if (!(await locks.tryAcquire(job.name))) return
      const signal = AbortSignal.any([stopping.signal, mayRun.signal])
      await runOnce(job, { db, now: new Date(), signal, turns, failed: (orgId, error) => failed(error, { orgId }) })
    } catch (error) {
      if (stopping.signal.aborted) return
      failed(error, {})
    }
    ran(job.name, (performance.now() - begunMs) / 1_000, failures)
  }
}

const stopTimeoutMs = 500

// a passing failure, such as a locked row, is logged as one sentence
const told = (error: unknown) => (failureOf(error) ? { reason: (error as Error).message } : { err: error })
