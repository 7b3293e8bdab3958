import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Database } from '../../db/database.ts'
import { failureOf } from '../../db/failures.ts'
import { SessionLocks } from '../../db/session-locks.ts'
import type { Secrets } from '../../operations/secrets.ts'
import { type DueWebhook, dueWebhooks, organizationsWithWebhooks } from './due.ts'
import { type Noted, noteEvents } from './log.ts'
import { createPace } from './pace.ts'
import { type Patience, usualPatience } from './patience.ts'
import { skipTo } from './record.ts'
import { type Ahead, type Ended, type Means, type Result, type Skipped, takeTurn } from './turn.ts'
import { Turns, type Waiting } from './turns.ts'
import { wants } from './wanted.ts'

interface DeliveriesOptions {
  connection: pg.ClientConfig
  /** calls back with organizations that have new events. @returns how to end it */
  onNotice: (told: (orgId: string | undefined) => void) => () => void
  /** tells others that an organization has new events */
  note: (orgId: string) => void
  secrets: Secrets
  post: Means['post']
  /** `Taskwright/0.1.0` */
  userAgent: string
  logger: { warn(said: object, sentence: string): void; info(said: object, sentence: string): void }
  metrics: DeliveryMetrics
  patience?: Patience
  /** how often all organizations are looked at, at most */
  lookEveryMs?: number
  /** after this time it is noted how far a webhook is that wants nothing of what happens */
  skipsNotedAfterMs?: number
}

/** What is counted. */
export interface DeliveryMetrics {
  attempted(result: Result, seconds: number): void
  /** @param state asked when somebody reads the metrics */
  watch(state: () => { underWay: number; lagSeconds: number }): void
}

/**
 * Sends events to webhooks until it is stopped. Each process on a database may do so: they share the webhooks by locks that
 * end with the process, so that one at a time sends to a webhook. Nothing is lost in between: what is not recorded is sent
 * again by whoever comes next.
 * @returns how to stop it, which takes a second at most
 */
export function startDeliveries(options: DeliveriesOptions): () => Promise<void> {
  const { connection, onNotice, note, logger, metrics, patience = usualPatience, lookEveryMs = 1_000 } = options
  const { skipsNotedAfterMs = 10_000 } = options
  const stopping = new AbortController()
  const ending = new AbortController()
  let losing = new AbortController()
  const db = new Database({
    connection,
    poolSize: 4,
    lockTimeoutMs: 2_000,
    statementTimeoutMs: 10_000,
    answerTimeoutMs: 15_000,
  })
  const locks = new SessionLocks(connection, () => {
    losing.abort(new Error('The locks of webhooks were lost'))
    losing = new AbortController()
  })
  const pace = createPace(mostAtATime, ending.signal)
  const turns = new Turns()
  const underWay = new Set<Promise<void>>()
  /** how far webhooks were looked at beyond their positions, which are not written for a few events that they do not want */
  const skipped = new Map<string, Skipped & { sinceMs: number }>()
  /** by webhook that is behind, when the next event for it happened */
  const behind = new Map<string, string>()
  const unsteady = new Set<string>()
  /** by webhook that waits for its turn, what the look has found for it */
  const found = new Map<string, { ahead: Ahead; first: Noted }>()
  /** where there are webhooks; a new one is seen by the next look at all */
  let watched = new Set<string>()
  const means = {
    ...options,
    ...{ db, pace, patience, stopping: stopping.signal, now: () => new Date(), attempted: metrics.attempted },
    reached: (id: string, createdAt: string) => void behind.set(id, createdAt),
    disabled(webhook: Waiting, reason: string) {
      note(webhook.orgId)
      logger.warn({ orgId: webhook.orgId, webhookId: webhook.id, reason }, 'a webhook was disabled')
    },
  }
  const noticed = new Set<string>()
  let wake = () => {}
  const endNotices = onNotice((orgId) => {
    if (orgId === undefined || !watched.has(orgId)) return
    noticed.add(orgId)
    wake()
  })
  metrics.watch(() => ({ underWay: turns.underWay, lagSeconds: lagSeconds(behind) }))
  const watching = watch()
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    stopping.abort()
    endNotices()
    wake()
    const finished = Promise.all([watching, ...underWay])
    await Promise.race([finished, wait(finishWithinMs)])
    ending.abort(new Error('The server is ending'))
    db.destroySockets()
    await finished
    await Promise.all([locks.close(), db.close()])
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
        tell(error, {})
      }
      const tookMs = performance.now() - begunMs
      // where there are very many webhooks, the looks take a twentieth of the time
      if (full) nextFullMs = begunMs + Math.max(lookEveryMs, 20 * tookMs)
      begin()
      // under a stream of notices too, most of the time is left to others
      await wait(Math.max(tookMs, shortestPauseMs), undefined, { signal: stopping.signal }).catch(() => {})
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
    const due = await pace(() => dueWebhooks(db, new Date(), orgIds))
    const byOrganization = new Map<string, DueWebhook[]>()
    for (const webhook of due) {
      if (!orgIds) await noteSkip(webhook)
      if (webhook.repeats) add(webhook)
      else if (fromOf(webhook) < webhook.latest)
        byOrganization.set(webhook.orgId, [...(byOrganization.get(webhook.orgId) ?? []), webhook])
    }
    for (const [orgId, webhooks] of byOrganization) {
      const from = Math.min(...webhooks.map(fromOf))
      const noted = await pace(() => noteEvents(db, orgId, from))
      const to = noted.at(-1)?.sequence ?? from
      for (const webhook of webhooks) {
        const start = fromOf(webhook)
        const first = noted.find((event) => event.sequence > start && wants(webhook, event))
        const { id, version, position } = webhook
        if (first) {
          behind.set(id, first.createdAt)
          found.set(id, { ahead: { version, position, to, noted, complete: to >= webhook.latest }, first })
        }
        if (!first && to > start) skip(id, { version, position, to })
        // what is far behind goes on with it in its turn, which also writes how far it was
        if (first || to < webhook.latest || to - position >= worthATurn) add(webhook)
      }
      begin()
    }
  }

  function fromOf({ id, version, position }: DueWebhook): number {
    const known = skipped.get(id)
    return known?.version === version && known.position === position ? known.to : position
  }

  function skip(id: string, to: Skipped): void {
    if (skipped.size >= mostSkipped) skipped.clear()
    const before = skipped.get(id)
    const sinceMs = before?.position === to.position ? before.sinceMs : performance.now()
    skipped.set(id, { ...to, sinceMs })
  }

  /** Once in a while it is written how far a webhook is: it shows, and others need not look at it all again. */
  async function noteSkip(webhook: DueWebhook): Promise<void> {
    const to = fromOf(webhook)
    const known = skipped.get(webhook.id)
    if (!known || to === webhook.position || performance.now() - known.sinceMs < skipsNotedAfterMs) return
    skipped.delete(webhook.id)
    if (await pace(() => skipTo(db, webhook, to))) webhook.position = to
  }

  function add(webhook: DueWebhook): void {
    turns.add(webhook, webhook.failing || unsteady.has(webhook.id))
  }

  function begin(): void {
    while (!stopping.signal.aborted) {
      const webhook = turns.next()
      if (webhook === undefined) return
      const turn = run(webhook).finally(() => underWay.delete(turn))
      underWay.add(turn)
    }
  }

  async function run(webhook: Waiting): Promise<void> {
    const { orgId, id } = webhook
    const name = `webhook ${id}`
    const { ahead, first } = found.get(id) ?? {}
    found.delete(id)
    const givingUp = AbortSignal.any([ending.signal, losing.signal])
    let ended: Ended = { more: false, slow: unsteady.has(id) }
    try {
      // another process may be at it
      if (!(await locks.take(name))) return
      try {
        ended = await takeTurn(webhook, { ...means, givingUp }, ahead, first)
      } finally {
        await locks.release(name)
      }
    } catch (error) {
      if (!givingUp.aborted) tell(error, { orgId, webhookId: id })
    } finally {
      if (ended.slow) unsteady.add(id)
      else unsteady.delete(id)
      if (ended.skipped) skip(id, ended.skipped)
      if (!ended.more) behind.delete(id)
      turns.end(webhook, ended)
      begin()
    }
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
const shortestPauseMs = 10
const mostSkipped = 100_000
/** so many events that a webhook does not want are noted for good */
const worthATurn = 1_000
/** how long what is under way has to come to its end */
const finishWithinMs = 500

function lagSeconds(behind: Map<string, string>): number {
  const oldest = [...behind.values()].reduce((least, at) => (at < least ? at : least), '9')
  return oldest === '9' ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000)
}
