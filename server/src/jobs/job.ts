import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../db/pool/database.ts'
import { JobTurns } from './job-turns.ts'

/** Work that runs by itself, in one process of all at a time. */
export interface Job {
  /** what it does, in a word or two: its name in the log and in /metrics */
  name: string
  /** from the start of one run to the start of the next; runs never overlap */
  everyMs: number
  /** does what is due; it may be interrupted anywhere, and may run twice, without harm */
  run(run: Run): Promise<void>
}

/** What a job works with while it runs. */
export interface Run {
  /** with connections that only jobs use */
  db: Database
  now: Date
  /** aborted when the run is to end: the server stops, or another process runs the job */
  signal: AbortSignal
  /**
   * Works on these organizations in turns, so that none waits for all the work of another. When a turn fails, that is
   * reported, the organization gets no more turns in this run, and the others go on.
   * @param orgIds those with something to do, as `organizationsWith` finds them
   * @param turn does one small batch; returns whether more may be left
   */
  inEach(orgIds: Iterable<string>, turn: (orgId: string) => Promise<boolean>): Promise<void>
}

interface RunOptions {
  db: Database
  now: Date
  /** ends the run after the current turn */
  signal: AbortSignal
  /** called for each organization whose turn failed */
  failed: (orgId: string, error: unknown) => void
  /** those of all jobs that run at the same time */
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
      // a pause as long as the turn, of its organization's other jobs too: half of the time is left to requests
      await wait(performance.now() - turnBegunMs, undefined, { signal }).catch(() => {})
      end()
    }
  }
}

// then a new run begins, with organizations that have something to do by then
const longestMs = 300_000
