import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Database } from '../../db/database.ts'
import { failureOf } from '../../db/failures.ts'
import { SessionLocks } from '../../db/session-locks.ts'
import { fingerprintIn, type Secrets } from '../../operations/secrets.ts'
import { type DueWebhook, dueWebhooks, organizationsWithWebhooks } from './due.ts'
import { mostNoted, type Noted, noteEvents } from './log.ts'
import { Memory } from './memory.ts'
import { createPace } from './pace.ts'
import { comeBackTo, proveWritable, skipTo } from './record.ts'
import { type RetryPolicy, usualRetryPolicy } from './retry-policy.ts'
import { type Ahead, type Ended, type Result, SealedOtherwise, type TurnServices, takeTurn } from './turn.ts'
import { wants } from './wanted.ts'
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
  /** by webhook that waits for its turn, what the look has found for it */
  const found = new Map<string, { ahead: Ahead; first: Noted }>()
  /** where there are webhooks; a new one is seen by the next look at all */
  let watched = new Set<string>()
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
  const noticed = new Set<string>()
  let wake = () => {}
  const endNotices = onNotice((orgId) => {
    if (orgId === undefined || !watched.has(orgId)) return
    noticed.add(orgId)
    wake()
  })
  metrics.watch(() => ({ inFlight: turns.inFlight, lagSeconds: memory.lagSeconds }))
  const watching = watch()
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    stopping.abort()
    endNotices()
    wake()
    const finished = Promise.all([watching, ...inFlight])
    await Promise.race([finished, wait(options.finishWithinMs ?? 500)])
    ending.abort(new Error('The server is ending'))
    db.destroySockets()
    const closed = locks.close()
    await finished
    await Promise.all([closed, db.close()])
  }

  async function watch(): Promise<void> {
    let nextFullMs = 0
    while (!stopping.signal.aborted) {
      const begunMs = performance.now()
      const full = begunMs >= nextFullMs
      const orgIds = full ? undefined : [...noticed].slice(0, mostNoticed)
      for (const orgId of orgIds ?? noticed) noticed.delete(orgId)
      try {
        if (orgIds === undefined || orgIds.length > 0) await look(orgIds)
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
      if (noticed.size === 0) await untilWoken(nextFullMs - performance.now())
    }
  }

  async function untilWoken(mostMs: number): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    if (stopping.signal.aborted || noticed.size > 0) return
    await wait(Math.max(0, mostMs), undefined, { signal: woken.signal }).catch(() => {})
    wake = () => {}
  }

  /** Lets the webhooks wait for their turns that have something to do. */
  async function look(orgIds: readonly string[] | undefined): Promise<void> {
    if (!orgIds) watched = await pace(() => organizationsWithWebhooks(db))
    const due = await pace(() => dueWebhooks(db, new Date(), orgIds), orgIds ? 'due' : 'all due')
    const byOrganization = new Map<string, DueWebhook[]>()
    for (const webhook of due) {
      if (!orgIds) await noteSkip(webhook)
      if (webhook.position > webhook.latest) await pace(() => comeBackTo(db, webhook))
      else if (turns.isWaiting(webhook) || memory.isResting(webhook.id)) continue
      // it looks ahead by itself, and has another turn if it has ended when this is heard
      else if (turns.isUnderWay(webhook)) add(webhook)
      else if (webhook.repeats || webhook.latest - memory.fromOf(webhook) > mostNoted) add(webhook)
      else if (memory.fromOf(webhook) < webhook.latest)
        byOrganization.set(webhook.orgId, [...(byOrganization.get(webhook.orgId) ?? []), webhook])
    }
    for (const [orgId, webhooks] of byOrganization) {
      const from = Math.min(...webhooks.map((one) => memory.fromOf(one)))
      const noted = await pace(() => noteEvents(db, orgId, from), 'events')
      const to = noted.at(-1)?.sequence ?? from
      for (const webhook of webhooks) {
        const start = memory.fromOf(webhook)
        const first = noted.find((event) => event.sequence > start && wants(webhook, event))
        const { id, version, position } = webhook
        if (noted.length === 0) {
          services.missed(webhook, start)
          await pace(() => skipTo(db, webhook, webhook.latest))
          continue
        }
        // what is no longer kept is told in its turn
        const complete = noted.some(({ sequence }) => sequence === start + 1)
        if (first && complete) {
          memory.noteBehind(id, first.createdAt)
          // of more it is read again in their turns: each holds what was noted of its organization
          if (found.size < mostFound)
            found.set(id, { ahead: { version, position, to, noted, complete: to >= webhook.latest }, first })
        }
        if (!first && complete) memory.skip(id, { version, position, to })
        // its turn also writes how far it is
        if (first || !complete || to - position >= worthATurn) add(webhook)
      }
      begin()
    }
  }

  /** Once in a while it is written how far a webhook is: it shows, and others need not look at it all again. */
  async function noteSkip(webhook: DueWebhook): Promise<void> {
    const to = memory.fromOf(webhook)
    if (to === webhook.position || memory.skippedForMs(webhook.id) < skipsNotedAfterMs) return
    memory.forgetSkipped(webhook.id)
    if (await pace(() => skipTo(db, webhook, to))) webhook.position = to
  }

  function add(webhook: DueWebhook): void {
    turns.add(webhook, webhook.failing || memory.isSlow(webhook.id))
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
    const { ahead, first } = found.get(id) ?? {}
    found.delete(id)
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
    wake()
  }

  function tell(error: unknown, where: object): void {
    if (stopping.signal.aborted) return
    const told = failureOf(error) ? { reason: (error as Error).message } : { err: error }
    logger.warn({ ...where, ...told }, 'deliveries failed')
  }
}

/** How many statements at a time, each with a pause behind it. */
const mostAtATime = 4
const mostNoticed = 200
const mostFound = 500
const shortestPauseMs = 25
/** so many events that a webhook does not want are noted for good */
const worthATurn = 1_000
