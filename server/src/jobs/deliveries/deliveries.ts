import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Database } from '../../db/pool/database.ts'
import { failureOf } from '../../db/pool/failures.ts'
import { SessionLocks } from '../../db/pool/session-locks.ts'
import { fingerprintIn, type Secrets } from '../../operations/secrets.ts'
import { deliverPending, type Result, type TurnServices, UndecryptableSecret } from './deliver.ts'
import { type DueWebhook, dueWebhooks, type NextDelivery } from './due.ts'
import { proveWritable } from './record.ts'
import { type RetryPolicy, usualRetryPolicy } from './retry-policy.ts'
import { DeliverySchedule } from './schedule.ts'

interface DeliveriesOptions {
  connection: pg.ClientConfig
  /** calls back with organizations that have new events. @returns function that stops the calls */
  onNotice: (told: (orgId: string | undefined) => void) => () => void
  note: (orgId: string) => void
  secrets: Secrets
  post: TurnServices['post']
  /** `Taskwright/0.1.0` */
  userAgent: string
  logger: { warn(said: object, sentence: string): void }
  metrics: DeliveryCounts
  retryPolicy?: RetryPolicy
  /** shortest interval between two looks at all organizations */
  lookEveryMs?: number
  /** how often positions move past a few events that webhooks do not want */
  skipEveryMs?: number
  /** how long a webhook rests after a failure that is not its receiver's fault */
  restMs?: number
  /** how long requests in flight may take to finish when deliveries stop */
  finishWithinMs?: number
}

interface DeliveryCounts {
  attempted(result: Result, seconds: number): void
  /** @param state called when somebody reads the metrics */
  watch(state: () => { inFlight: number; lagSeconds: number }): void
}

/**
 * Sends events to webhooks until it is stopped. Every process on a database may do so. Session locks, which end with the
 * process, let one process at a time send to a webhook. If a process ends before it records a delivery, the next process that
 * takes the lock sends the event again.
 * @returns function that stops deliveries within about a second
 */
export function startDeliveries(options: DeliveriesOptions): () => Promise<void> {
  const { connection, secrets, logger, metrics, retryPolicy = usualRetryPolicy } = options
  const { lookEveryMs = 1_000, skipEveryMs = 10_000, restMs = 10_000, finishWithinMs = 500 } = options
  const stopping = new AbortController()
  const ending = new AbortController()
  let losing = new AbortController()
  const db = new Database({
    connection,
    poolSize: 8,
    lockTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    answerTimeoutMs: 15_000,
  })
  const locks = new SessionLocks(connection, () => {
    losing.abort(new Error('The locks of webhooks were lost'))
    losing = new AbortController()
  })
  const turns = new DeliverySchedule()
  const inFlight = new Set<Promise<void>>()
  const restingUntilMs = new Map<string, number>()
  const noticed = new Set<string>()
  let oldestWaiting: string | undefined
  const services = {
    ...options,
    ...{ db, retryPolicy, stopping: stopping.signal, attempted: metrics.attempted },
    disabled({ orgId, id }: NextDelivery, reason: string) {
      options.note(orgId)
      logger.warn({ orgId, webhookId: id, reason }, 'a webhook was disabled')
    },
    missed({ orgId, id, position }: NextDelivery) {
      logger.warn({ orgId, webhookId: id, after: position }, 'a webhook waits for events that are no longer kept')
    },
  }
  const endNotices = options.onNotice((orgId) => orgId !== undefined && noticed.add(orgId))
  metrics.watch(() => ({
    inFlight: turns.running,
    lagSeconds: oldestWaiting === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldestWaiting)) / 1_000),
  }))
  const watching = watch()
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    stopping.abort()
    endNotices()
    const finished = Promise.all([watching, ...inFlight])
    await Promise.race([finished, wait(finishWithinMs)])
    ending.abort(new Error('The server is ending'))
    db.destroySockets()
    await Promise.all([locks.close(), finished])
    await db.close()
  }

  async function watch(): Promise<void> {
    let [nextLookMs, nextSkipMs] = [0, 0]
    while (!stopping.signal.aborted) {
      const begunMs = performance.now()
      const atAll = begunMs >= nextLookMs
      const skips = atAll && begunMs >= nextSkipMs
      try {
        if (atAll) await lookAtAll(skips ? 1 : manyUnwanted)
        else if (noticed.size > 0) await lookAtNoticed()
      } catch (error) {
        tell(error, {})
      }
      const tookMs = performance.now() - begunMs
      // with very many webhooks, leave most of the time to others
      if (atAll) nextLookMs = begunMs + Math.max(lookEveryMs, 20 * tookMs)
      if (skips) nextSkipMs = begunMs + skipEveryMs
      beginTurns()
      await wait(Math.max(5 * tookMs, pauseMs), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function lookAtAll(leastUnwanted: number): Promise<void> {
    noticed.clear()
    const due = await dueWebhooks(db, new Date(), { leastUnwanted })
    ;[oldestWaiting] = due.flatMap(({ wantedAt }) => wantedAt ?? []).toSorted()
    add(due)
  }

  async function lookAtNoticed(): Promise<void> {
    const orgIds = [...noticed].slice(0, mostNoticed)
    for (const orgId of orgIds) noticed.delete(orgId)
    add(await dueWebhooks(db, new Date(), { orgIds, leastUnwanted: manyUnwanted }))
  }

  function add(due: readonly DueWebhook[]): void {
    const nowMs = performance.now()
    for (const webhook of due) if (nowMs >= (restingUntilMs.get(webhook.id) ?? 0)) turns.add(webhook)
  }

  function beginTurns(): void {
    while (!stopping.signal.aborted) {
      const webhook = turns.begin()
      if (webhook === undefined) return
      const turn = run(webhook).finally(() => inFlight.delete(turn))
      inFlight.add(turn)
    }
  }

  async function run(webhook: DueWebhook): Promise<void> {
    const { id } = webhook
    const name = `webhook ${id}`
    const givingUp = AbortSignal.any([ending.signal, losing.signal])
    let more = false
    try {
      // another process may hold it
      if (!(await locks.tryAcquire(name))) return
      try {
        // do not send while the database cannot record the delivery
        if (restingUntilMs.has(id)) await proveWritable(db, webhook)
        more = await deliverPending(webhook, { ...services, givingUp })
      } finally {
        await locks.release(name)
      }
      restingUntilMs.delete(id)
    } catch (error) {
      if (!givingUp.aborted) await rest(webhook, error)
    } finally {
      turns.end(webhook)
      if (more) turns.add(webhook)
      beginTurns()
    }
  }

  async function rest({ orgId, id }: DueWebhook, error: unknown): Promise<void> {
    restingUntilMs.set(id, performance.now() + restMs)
    tell(error, { orgId, webhookId: id })
    if (!(error instanceof UndecryptableSecret)) return
    const fingerprint = await fingerprintIn(db).catch(() => null)
    if (fingerprint === null || fingerprint.equals(secrets.fingerprint) || stopping.signal.aborted) return
    logger.warn(
      {},
      'SECRET_KEY is not that of the other servers: this one sends nothing to webhooks until it is started anew',
    )
    stopping.abort()
  }

  function tell(error: unknown, where: object): void {
    if (stopping.signal.aborted) return
    const told = failureOf(error) ? { reason: (error as Error).message } : { err: error }
    logger.warn({ ...where, ...told }, 'deliveries failed')
  }
}

/** Gathers a burst of notices into one look. */
const pauseMs = 50
const mostNoticed = 200

/** When a webhook does not want this many events, its position moves past them at once. */
const manyUnwanted = 100
