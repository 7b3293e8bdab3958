import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Database } from '../db/database.ts'
import { failureOf } from '../db/failures.ts'
import { SessionLocks } from '../db/session-locks.ts'
import { type Job, runOnce } from './job.ts'

interface ScheduleOptions {
  connection: pg.ClientConfig
  logger: { warn(said: object, sentence: string): void }
  /** told of each run that came to its end */
  ran: (job: string, seconds: number, failures: number) => void
}

/**
 * Runs jobs until they are stopped: each at once, then as often as it says. Of all processes on the database one runs a
 * job, until it ends; then another one takes it over. Jobs have connections of their own, so nobody who waits for an
 * answer waits for them.
 * @returns how to stop them, which takes a second at most
 */
export function startJobs(jobs: readonly Job[], { connection, logger, ran }: ScheduleOptions): () => Promise<void> {
  const db = new Database({
    connection,
    poolSize: 4,
    // who waits for an answer goes first
    lockTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    answerTimeoutMs: 15_000,
  })
  const stopping = new AbortController()
  let mayRun = new AbortController()
  const locks = new SessionLocks(connection, () => {
    mayRun.abort()
    mayRun = new AbortController()
  })
  const loops = Promise.all(jobs.map(repeat))
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.race([loops, wait(stopTimeoutMs)])
    db.destroySockets()
    const closed = locks.close()
    await loops
    await Promise.all([closed, db.close()])
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
      if (!(await locks.take(job.name))) return
      const signal = AbortSignal.any([stopping.signal, mayRun.signal])
      await runOnce(job, { db, now: new Date(), signal, failed: (orgId, error) => failed(error, { orgId }) })
    } catch (error) {
      if (stopping.signal.aborted) return
      failed(error, {})
    }
    ran(job.name, (performance.now() - begunMs) / 1_000, failures)
  }
}

const stopTimeoutMs = 500

// of what passes, such as a row that somebody holds, no more than a sentence
const told = (error: unknown) => (failureOf(error) ? { reason: (error as Error).message } : { err: error })
