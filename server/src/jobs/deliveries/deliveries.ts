import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Database } from '../../db/pool/database.ts'
import { failureOf } from '../../db/pool/failures.ts'
import { SessionLocks } from '../../db/pool/session-locks.ts'
import { fingerprintIn, type Secrets } from '../../operations/secrets.ts'
import { organizationsWithWebhooks } from './due.ts'
import { Looks } from './looks.ts'
import { Memory } from './memory.ts'
import { NoticedOrganizations } from './noticed.ts'
import { createPace } from './pace.ts'
import { proveWritable } from './record.ts'
import { type RetryPolicy, usualRetryPolicy } from './retry-policy.ts'
import { type Ended, type Result, SealedOtherwise, type TurnServices, takeTurn } from './turn.ts'
import { type WaitingWebhook, WebhookTurns } from './webhook-turns.ts'

interface DeliveriesOptions {
  connection: pg.ClientConfig
  /** calls back with organizations that have new events. @returns how to end it */
  onNotice: (told: (orgId: string | undefined) => void) => () => void
  /** tells others that an organization has new events */
  note: (orgId: string) => void
  secrets: Secrets
  post: TurnServices['post']
  /** `Taskwright/0.1.0` */
  userAgent: string
  logger: { warn(said: object, sentence: string): void; info(said: object, sentence: string): void }
  metrics: DeliveryCounts
  retryPolicy?: RetryPolicy
  /** how often all organizations are looked at, at most */
  lookEveryMs?: number
  /** after this time it is noted how far a webhook is that wants nothing of what happens */
  skipsNotedAfterMs?: number
  /** how long what is under way has to come to its end when it is stopped */
  finishWithinMs?: number
}

/** What is counted. */
interface DeliveryCounts {
  attempted(result: Result, seconds: number): void
  /** @param state asked when somebody reads the metrics */
  watch(state: () => { inFlight: number; lagSeconds: number }): void
}

/**
 * Sends events to webhooks until it is stopped. Each process on a database may do so: they share the webhooks by locks that
 * end with the process, so that one at a time sends to a webhook. Nothing is lost in between: what is not recorded is sent
 * again by whoever comes next.
 * @returns how to stop it, which takes a second at most
 */
export function startDeliveries(options: DeliveriesOptions): () => Promise<void> {
  const {
    connection,
    onNotice,
    note,
    logger,
    metrics,
    retryPolicy = usualRetryPolicy,
    secrets,
    lookEveryMs = 1_000,
    skipsNotedAfterMs = 10_000,
  } = options
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
    memory.forgetSkipped()
  })
  const pace = createPace(mostAtATime, ending.signal)
  const turns = new WebhookTurns()
  const inFlight = new Set<Promise<void>>()
  const memory = new Memory()
  const services = {
    ...options,
    ...{ db, pace, retryPolicy, stopping: stopping.signal, now: () => new Date(), attempted: metrics.attempted },
    reached: (id: string, createdAt: string) => memory.noteBehind(id, createdAt),
    disabled(webhook: WaitingWebhook, reason: string) {
      note(webhook.orgId)
      logger.warn({ orgId: webhook.orgId, webhookId: webhook.id, reason }, 'a webhook was disabled')
    },
    missed({ orgId, id }: WaitingWebhook, after: number) {
      logger.warn({ orgId, webhookId: id, after }, 'a webhook waits for events that are no longer kept')
    },
  }
  const looks = new Looks({ db, pace, memory, turns, begin, missed: services.missed, skipsNotedAfterMs })
  const noticed = new NoticedOrganizations()
  const endNotices = onNotice((orgId) => noticed.note(orgId))
  metrics.watch(() => ({ inFlight: turns.inFlight, lagSeconds: memory.lagSeconds }))
  const watching = watch()
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    stopping.abort()
    endNotices()
    noticed.wake()
    const finished = Promise.all([watching, ...inFlight])
    await Promise.race([finished, wait(options.finishWithinMs ?? 500)])
    ending.abort(new Error('The server is ending'))
    db.destroySockets()
    await Promise.all([locks.close(), finished])
    await db.close()
  }

  async function watch(): Promise<void> {
    let nextFullMs = 0
    while (!stopping.signal.aborted) {
      const begunMs = performance.now()
      const full = begunMs >= nextFullMs
      try {
        if (full) await lookAtAll()
        else await lookAtNoticed()
      } catch (error) {
        memory.forgetSkipped()
        tell(error, {})
      }
      const tookMs = performance.now() - begunMs
      // where there are very many webhooks, the looks take a twentieth of the time
      if (full) nextFullMs = begunMs + Math.max(lookEveryMs, 20 * tookMs)
      begin()
      // under a stream of notices too, most of the time is left to others
      await wait(Math.max(5 * tookMs, shortestPauseMs), undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await noticed.wait(nextFullMs - performance.now())
    }
  }

  async function lookAtAll(): Promise<void> {
    noticed.clear()
    // a new webhook is seen by the next such look
    noticed.watched = await pace(() => organizationsWithWebhooks(db))
    await looks.look()
  }

  async function lookAtNoticed(): Promise<void> {
    const orgIds = noticed.take()
    if (orgIds.length > 0) await looks.look(orgIds)
  }

  function begin(): void {
    while (!stopping.signal.aborted) {
      const webhook = turns.next()
      if (webhook === undefined) return
      const turn = run(webhook).finally(() => inFlight.delete(turn))
      inFlight.add(turn)
    }
  }

  async function run(webhook: WaitingWebhook): Promise<void> {
    const { id } = webhook
    const name = `webhook ${id}`
    const { ahead, first } = looks.takeFound(id)
    const givingUp = AbortSignal.any([ending.signal, losing.signal])
    let ended: Ended = { more: false, slow: false }
    try {
      // another process may be at it
      if (!(await locks.take(name))) return
      try {
        // what cannot be recorded is not sent
        if (memory.hasRested(id)) await pace(() => proveWritable(db, webhook))
        ended = await takeTurn(webhook, { ...services, givingUp }, ahead, first)
      } finally {
        await locks.release(name)
      }
      memory.goesWell(id)
    } catch (error) {
      if (!givingUp.aborted) await rest(webhook, error)
    } finally {
      if (ended.slow) memory.noteSlow(id)
      if (ended.skipped) memory.skip(id, ended.skipped)
      if (!ended.more) memory.caughtUp(id)
      turns.end(webhook, { more: ended.more, slow: memory.isSlow(id) })
      begin()
    }
  }

  /** What went wrong is not the receiver's fault, and may go on. */
  async function rest({ orgId, id }: WaitingWebhook, error: unknown): Promise<void> {
    memory.rest(id)
    tell(error, { orgId, webhookId: id })
    if (!(error instanceof SealedOtherwise)) return
    const fingerprint = await fingerprintIn(db).catch(() => null)
    if (fingerprint === null || fingerprint.equals(secrets.fingerprint) || stopping.signal.aborted) return
    logger.warn(
      {},
      'SECRET_KEY is not that of the other servers: this one sends nothing to webhooks until it is started anew',
    )
    stopping.abort()
    noticed.wake()
  }

  function tell(error: unknown, where: object): void {
    if (stopping.signal.aborted) return
    const told = failureOf(error) ? { reason: (error as Error).message } : { err: error }
    logger.warn({ ...where, ...told }, 'deliveries failed')
  }
}

/** How many statements at a time, each with a pause behind it. */
const mostAtATime = 4
const shortestPauseMs = 25
