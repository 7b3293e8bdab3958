import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../db/pool/database.ts'
import { JobTurns } from './job-turns.ts'

/** Background work. One process of the instance runs a job at a time. */
export interface Job {
  /** one or two words for the log and /metrics */
  name: string
  /** from the start of one run to the start of the next; runs never overlap */
  everyMs: number
  /** does the work that is due; a run may stop at any point, or run twice, without harm */
  run(run: JobContext): Promise<void>
}

/** The inputs of one run of a job. */
export interface JobContext {
  /** a pool that only jobs use */
  db: Database
  now: Date
  /** aborted when the run must end: the server stops, or another process takes the job over */
  signal: AbortSignal
  /**
   * Works on these organizations in turns, so that none waits for all the work of another. If a turn fails, the failure is
   * reported and its organization gets no more turns in this run. The others go on.
   * @param orgIds organizations with work to do, as `organizationsWith` finds them
   * @param turn does one small batch; returns whether more may be left
   */
  inEach(orgIds: Iterable<string>, turn: (orgId: string) => Promise<boolean>): Promise<void>
}

interface RunOptions {
  db: Database
  now: Date
  /** ends the run after the current turn */
  signal: AbortSignal
  failed: (orgId: string, error: unknown) => void
  /** shared by all jobs that run at the same time */
  turns?: JobTurns
}

/** Runs a job once. */
export function runOnce(
  job: Pick<Job, 'run'>,
  { db, now, signal, failed, turns = new JobTurns() }: RunOptions,
): Promise<void> {
  const begunMs = performance.now()
  return job.run({ db, now, signal, inEach })

  async function inEach(orgIds: Iterable<string>, turn: (orgId: string) => Promise<boolean>): Promise<void> {
    let waiting = [...orgIds]
    for (let round = 1; waiting.length > 0 && (round === 1 || performance.now() - begunMs < longestMs); round++) {
      const unfinished: string[] = []
      for (const orgId of waiting) if (await hasMore(orgId, turn)) unfinished.push(orgId)
      waiting = unfinished
    }
  }

  async function hasMore(orgId: string, turn: (orgId: string) => Promise<boolean>): Promise<boolean> {
    const end = await turns.begin(orgId)
    const turnBegunMs = performance.now()
    try {
      signal.throwIfAborted()
      return await turn(orgId)
    } catch (error) {
      signal.throwIfAborted()
      failed(orgId, error)
      return false
    } finally {
      // pause as long as the turn took, for all jobs of the organization: requests get half of the time
      await wait(performance.now() - turnBegunMs, undefined, { signal }).catch(() => {})
      end()
    }
  }
}

// after this time the job starts a new run and looks for organizations again
const longestMs = 300_000
