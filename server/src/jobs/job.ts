import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../db/database.ts'

/** Something that runs by itself, in one process of all at a time. */
export interface Job {
  /** what it does, in a word or two: its name in the log and in /metrics */
  name: string
  /** from the beginning of one run to that of the next, which never begins before the last one ends */
  everyMs: number
  /** does what is due; it must do no harm when it is cut short, or done twice */
  run(run: Run): Promise<void>
}

/** What a job works with while it runs. */
export interface Run {
  /** on connections of the jobs alone */
  db: Database
  now: Date
  /**
   * Works in these organizations by turns, so that none waits for all the work of another. One whose turn fails gets no
   * other one in this run; that is told, and the others go on.
   * @param orgIds those with something to do, as `organizationsWith` finds them
   * @param turn does one small batch; returns whether more may be left
   */
  inEach(orgIds: Iterable<string>, turn: (orgId: string) => Promise<boolean>): Promise<void>
}

interface RunOptions {
  db: Database
  now: Date
  /** ends the run after the turn that it is at */
  signal: AbortSignal
  /** told of each organization whose turn failed */
  failed: (orgId: string, error: unknown) => void
}

/** Runs a job once. */
export function runOnce(job: Pick<Job, 'run'>, { db, now, signal, failed }: RunOptions): Promise<void> {
  const begunMs = performance.now()
  return job.run({ db, now, inEach })

  async function inEach(orgIds: Iterable<string>, turn: (orgId: string) => Promise<boolean>): Promise<void> {
    let waiting = [...orgIds]
    for (let round = 1; waiting.length > 0 && (round === 1 || performance.now() - begunMs < longestMs); round++) {
      const unfinished: string[] = []
      for (const orgId of waiting) if (await hasMore(orgId, turn)) unfinished.push(orgId)
      waiting = unfinished
    }
  }

  async function hasMore(orgId: string, turn: (orgId: string) => Promise<boolean>): Promise<boolean> {
    signal.throwIfAborted()
    const turnBegunMs = performance.now()
    try {
      return await turn(orgId)
    } catch (error) {
      signal.throwIfAborted()
      failed(orgId, error)
      return false
    } finally {
      // half of the time is for those who wait for an answer
      await wait(performance.now() - turnBegunMs, undefined, { signal }).catch(() => {})
    }
  }
}

// then it begins anew, with those who have come meanwhile
const longestMs = 300_000
