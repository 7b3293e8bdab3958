import type pg from 'pg'
import type { Connections } from './connections.ts'
import { PipelinedPool } from './pipelined-pool.ts'
import { type SessionSettings, sessionSettings } from './session.ts'
import { type ActiveTenants, WorkBudget } from './work-budget.ts'

interface ReadPoolsOptions {
  connections: Connections
  activeTenants: ActiveTenants
  /** connections of all pools of the database, those of writes too */
  poolSize: number
  maxWaiting: number
  waitTimeoutMs: number
  lockTimeoutMs?: number | undefined
  /** instead of that of each pool */
  statementTimeoutMs?: number | undefined
  answerTimeoutMs?: number | undefined
  promptTimeoutMs?: number | undefined
}

/**
 * What connections of reads are for; `reports` are reads that are planned for their values: searches too. `own` are look-ups
 * of the server itself.
 */
type ReadKind = 'reads' | 'reports' | 'look-ups' | 'own'

/** What the statements of a pool may take. */
interface PoolLimits {
  depth: number
  stuckAfterMs: number
  statementTimeoutMs: number
  workBudget: WorkBudget
  answerTimeoutMs?: number | undefined
}

/** The connections of what runs in no transaction, in pools by how long it may take. */
export class ReadPools {
  /** for reads, each one statement: with few at a time they finish sooner, and writes keep their connections */
  readonly reads: PipelinedPool
  /** for reads with custom plans: searches and reports, which may take long */
  readonly customPlanReads: PipelinedPool
  /** for look-ups by a key, which are always short */
  readonly lookUps: PipelinedPool
  /** for those of the server itself: who asks must be known though all others wait for a table that somebody locked */
  readonly ownLookUps: PipelinedPool
  /** how many connections all of them have at most */
  readonly most: number
  readonly #options: ReadPoolsOptions
  readonly #pools: { kind: ReadKind; pool: PipelinedPool; pgPool: pg.Pool }[] = []

  constructor(options: ReadPoolsOptions) {
    this.#options = options
    const { poolSize, activeTenants, promptTimeoutMs } = options
    const [reads, customPlan, lookUps] = [Math.ceil(poolSize / 5), Math.ceil(poolSize / 6), Math.ceil(poolSize / 8)]
    // with two of them, what stands behind a statement that takes long is sent again; a small pool has none to spare
    const own = Math.floor(poolSize / 12)
    this.most = reads + customPlan + lookUps + own
    // what each organization reads
    const readBudget = new WorkBudget(readBudgetMs, activeTenants)
    this.reads = this.#pool('reads', reads, sessionSettings.genericPlan, {
      depth: 3,
      stuckAfterMs: 500,
      statementTimeoutMs: 5_000,
      workBudget: readBudget,
    })
    this.customPlanReads = this.#pool('reports', customPlan, sessionSettings.customPlan, {
      depth: 1,
      stuckAfterMs: 500,
      statementTimeoutMs: 15_000,
      workBudget: readBudget,
    })
    const lookUpLimits = { depth: 64, stuckAfterMs: 200, statementTimeoutMs: 3_000, answerTimeoutMs: promptTimeoutMs }
    // budgets of their own, as others wait for look-ups: each key is looked up every second, some writes by the way
    const lookUpPool = (kind: ReadKind, connections: number) =>
      this.#pool(kind, connections, sessionSettings.genericPlan, {
        ...lookUpLimits,
        workBudget: new WorkBudget(readBudgetMs, activeTenants),
      })
    this.lookUps = lookUpPool('look-ups', lookUps)
    this.ownLookUps = own === 0 ? this.lookUps : lookUpPool('own', own)
  }

  #pool(
    kind: ReadKind,
    maxConnections: number,
    session: SessionSettings,
    { depth, stuckAfterMs, workBudget, answerTimeoutMs = this.#options.answerTimeoutMs, ...limits }: PoolLimits,
  ): PipelinedPool {
    const { connections, maxWaiting, waitTimeoutMs } = this.#options
    const { lockTimeoutMs = 1_000, statementTimeoutMs = limits.statementTimeoutMs } = this.#options
    const pgPool = connections.pool(maxConnections, session, { statementTimeoutMs, lockTimeoutMs })
    const pool = new PipelinedPool({
      connect: () => connections.checkOut(pgPool),
      maxConnections,
      workBudget,
      depth,
      stuckAfterMs,
      deadAfterMs: answerTimeoutMs ?? statementTimeoutMs + 1_000,
      onDead: () => {
        connections.distrust()
        for (const other of this.#pools) other.pool.abandonSilent()
      },
      maxWaiting,
      waitTimeoutMs,
    })
    this.#pools.push({ kind, pool, pgPool })
    return pool
  }

  /** Each pool, and how much waits for a connection of it. */
  get each() {
    return this.#pools.map(({ kind, pool, pgPool }) => ({ kind, pgPool, waiting: pool.waiting }))
  }
}

// a wait that others do not notice
const readBudgetMs = 6
