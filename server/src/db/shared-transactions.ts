import { failureOf, isSaidByDatabase, isUndone } from './failures.ts'
import { FairQueue, type Tenant, type Waiter } from './fair-queue.ts'
import type { OpenTransaction } from './open-transaction.ts'
import { SharingLine } from './sharing-line.ts'
import type { Transaction } from './transaction.ts'
import { noTenant } from './work-budget.ts'

interface SharedTransactionsOptions {
  maxWaiting: number
  waitTimeoutMs: number
  /** of the statements of a connection, as they are when nobody shares a transaction */
  limits: { lockTimeoutMs: number; statementTimeoutMs: number }
  /** runs a transaction once there is a connection for it: `work`, then COMMIT */
  run: (tenant: Tenant, work: (transaction: OpenTransaction) => Promise<void>) => Promise<void>
}

type Work<T> = (tx: Transaction) => Promise<T>

/** A write that waits for its part in a transaction, or has one. */
interface Sharer extends Waiter {
  work: Work<unknown>
  resolve: (outcome: { result: unknown } | typeof alone) => void
  sinceMs: number
  /** tells what came of it, once all is committed */
  tell: () => void
}

/** It is to run by itself, as nothing of it was committed. */
const alone = Symbol('alone')

/**
 * Lets writes of one organization share transactions, when they would wait for each other anyway: a commit holds the
 * counter of the organization's events until it is on the disk, so one at a time gets there. What comes meanwhile is done in
 * one transaction, one write after the other, each behind a savepoint, and all of it is committed at once.
 */
export class SharedTransactions {
  readonly #options: SharedTransactionsOptions
  readonly #queue: FairQueue<Sharer>
  readonly #lines = new Map<Tenant, SharingLine>()
  #cleanedUpMs = 0
  /** transactions that were shared, writes that had a part in them, and writes that had to run by themselves after all */
  readonly counts = { transactions: 0, writes: 0, alone: 0 }

  constructor(options: SharedTransactionsOptions) {
    this.#options = options
    this.#queue = new FairQueue(options)
  }

  /** How many writes wait for a part in a transaction. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Runs a write in a transaction with others if that is of use, else by itself.
   * @param work may be run again, if nothing of it was committed
   * @param byItself runs it in a transaction of its own
   */
  async run<T>(tenant: Tenant, work: Work<T>, byItself: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(tenant)
    if (line === undefined || !line.isOfUse) return byItself()
    const outcome = await new Promise<{ result: unknown } | typeof alone>((resolve, reject) => {
      this.#queue.add({ tenant, work, resolve, reject, sinceMs: performance.now(), tell: () => {} })
      line.wake()
      this.#serve(tenant, line)
    })
    if (outcome !== alone) return outcome.result as T
    this.counts.alone++
    return byItself()
  }

  /** Commits any transaction of an organization: meanwhile its other writes may wait for that. */
  async commit(tenant: Tenant, commit: () => Promise<void>): Promise<void> {
    if (tenant === noTenant) return commit()
    const line = this.#lines.get(tenant) ?? new SharingLine()
    this.#lines.set(tenant, line)
    line.committing++
    try {
      await commit()
    } finally {
      line.committing--
      line.wake()
      this.#forgetIdle()
    }
  }

  /** Forgets organizations that have been idle; does so once a second at most. */
  #forgetIdle(): void {
    const nowMs = performance.now()
    if (nowMs - this.#cleanedUpMs < 1_000) return
    this.#cleanedUpMs = nowMs
    for (const [tenant, line] of this.#lines) if (line.isOver && !this.#queue.hasAny(tenant)) this.#lines.delete(tenant)
  }

  #serve(tenant: Tenant, line: SharingLine): void {
    while (this.#queue.hasAny(tenant) && line.mayOpen) {
      line.open++
      void this.#share(tenant, line)
    }
  }

  /** One transaction for those who wait, and for who comes while they are at work. */
  async #share(tenant: Tenant, line: SharingLine): Promise<void> {
    const { run, limits } = this.#options
    const sharers: Sharer[] = []
    let shared: OpenTransaction | undefined
    let closed: { atMs: number; workMs: number; behindOthers: boolean } | undefined
    try {
      await run(tenant, async (transaction) => {
        shared = transaction
        transaction.send(limitsOf(shortLimits))
        const workMs = await this.#fill(transaction, sharers, tenant, line)
        // for the counter, which others may hold
        transaction.send(limitsOf(limits))
        closed = { atMs: performance.now(), workMs, behindOthers: line.committing > 0 }
        line.open--
        line.sharedCommitting++
        this.#serve(tenant, line)
      })
      this.counts.transactions++
      this.counts.writes += sharers.length
      const { atMs = 0, workMs = 0, behindOthers = true } = closed ?? {}
      if (!behindOthers && sharers.length > 0) line.measured(workMs / sharers.length, performance.now() - atMs)
      for (const { tell } of sharers) tell()
    } catch (error) {
      const undone = shared === undefined || !shared.commitSent || isUndone(error)
      for (const sharer of sharers) {
        if (undone && performance.now() - sharer.sinceMs < patienceMs) sharer.resolve(alone)
        else sharer.reject(error as Error)
      }
      // there is no connection to be had: each waits for its own
      if (shared === undefined) line.part()
    } finally {
      if (closed === undefined) line.open--
      else line.sharedCommitting--
      if (!line.isOfUse) this.#sendApart(tenant)
      this.#serve(tenant, line)
    }
  }

  #sendApart(tenant: Tenant): void {
    for (let next = this.#queue.nextOf(tenant); next; next = this.#queue.nextOf(tenant)) next.resolve(alone)
  }

  /**
   * Does what waits; and what comes as long as another commit is under way, for which this one would wait.
   * @returns how long it was at work
   */
  async #fill(transaction: OpenTransaction, sharers: Sharer[], tenant: Tenant, line: SharingLine): Promise<number> {
    const begunMs = performance.now()
    let workMs = 0
    for (;;) {
      const leftMs = mostOpenMs - (performance.now() - begunMs)
      if (leftMs <= 0 || sharers.length >= mostWrites || transaction.characters > mostCharacters) return workMs
      const next = this.#queue.nextOf(tenant)
      if (next) {
        const partMs = performance.now()
        sharers.push(next)
        if (!(await doPart(transaction, next))) {
          sharers.pop()
          next.resolve(alone)
          line.part()
          this.#sendApart(tenant)
          return workMs
        }
        workMs += performance.now() - partMs
      } else if (line.committing > 0) await line.changed(leftMs)
      else return workMs
    }
  }
}

/**
 * Does a write's part.
 * @returns false when it was undone, as the write must not keep the others waiting, or is to be tried again
 * @throws what happened to the whole transaction
 */
async function doPart(transaction: OpenTransaction, sharer: Sharer): Promise<boolean> {
  const part = transaction.nextPart()
  const late = setTimeout(() => part.end(new TookLong()), mostPartMs)
  try {
    const result = await sharer.work(part)
    if (part.failure !== undefined) throw part.failure
    sharer.tell = () => sharer.resolve({ result })
    return true
  } catch (error) {
    const unreachable = failureOf(error) === 'unavailable' && !isSaidByDatabase(error)
    if (transaction.lost || unreachable) throw error
    transaction.undoLastPart()
    if (error instanceof TookLong || failureOf(error) !== undefined) return false
    // a refusal may be due to what another one did, so it too is told when that is committed
    sharer.tell = () => sharer.reject(error as Error)
    return true
  } finally {
    clearTimeout(late)
    part.end(new Error('The part is done'))
  }
}

class TookLong extends Error {}

const limitsOf = ({ lockTimeoutMs, statementTimeoutMs }: SharedTransactionsOptions['limits']) =>
  `set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = ${statementTimeoutMs}`

// others wait meanwhile
const shortLimits = { lockTimeoutMs: 250, statementTimeoutMs: 500 }
const mostPartMs = 250
const mostOpenMs = 100
// each has two savepoints; of more than 64 PostgreSQL keeps a part on disk
const mostWrites = 16
const mostCharacters = 524_288
// who waited for longer is refused, when it cannot be had
const patienceMs = 2_000
