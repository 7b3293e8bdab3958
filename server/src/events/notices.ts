import { randomUUID } from 'node:crypto'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'

/** Notifies the readers of an organization's events that there are new ones. */
export interface Notices {
  /** Notes after a commit that an organization has new events. Listeners here run at once, other processes in `everyMs`. */
  note(orgId: string): void
  /**
   * Calls back with each organization that has new events, or with undefined if notices may have been lost. A reader must
   * also poll, once a second, as any notice can be lost. @returns function that stops the calls
   */
  onNotice(told: (orgId: string | undefined) => void): () => void
  /** sends the noted organizations, then stops listening */
  close(): Promise<void>
}

interface NoticeOptions {
  /** how long organizations are collected before one statement sends them */
  everyMs?: number
  /** called once when sending begins to fail */
  onFailure?: (error: unknown) => void
}

/**
 * Opens the notices between all processes on a database. A write sends no NOTIFY itself, as each commit with a NOTIFY waits for
 * the one before it. Instead each process collects organizations and sends them together in one statement.
 */
export async function openNotices(db: Database, { everyMs = 25, onFailure }: NoticeOptions = {}): Promise<Notices> {
  const listeners = new Set<(orgId: string | undefined) => void>()
  const own = randomUUID().slice(0, 8)
  const noted = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let failing = false
  const stopListening = await db.listen(channel, (payload) => {
    if (payload === undefined) return tell(undefined)
    const [sender, ...orgIds] = payload.split(' ')
    // listeners of this process were called by note()
    if (sender !== own) for (const orgId of orgIds) tell(orgId)
  })
  return {
    note(orgId) {
      noted.add(orgId)
      sendLater()
      tell(orgId)
    },
    onNotice(told) {
      listeners.add(told)
      return () => void listeners.delete(told)
    },
    async close() {
      await sending
      clearTimeout(timer)
      await send()
      await stopListening()
    },
  }

  function tell(orgId: string | undefined): void {
    for (const told of listeners) told(orgId)
  }

  function sendLater(): void {
    if (sending === undefined) timer ??= setTimeout(begin, everyMs)
  }

  function begin(): void {
    timer = undefined
    sending = send().finally(() => {
      sending = undefined
      if (noted.size > 0) sendLater()
    })
  }

  /** Never fails. If a notice is lost, readers poll a second later. */
  async function send(): Promise<void> {
    const payloads = payloadsOf(own, [...noted])
    noted.clear()
    if (payloads.length === 0) return
    try {
      // a notice need not survive a crash, so the commit does not wait for the disk
      await db.own.rows(sql`
        select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, payload)
        from unnest(${payloads}::text[]) as payload`)
      failing = false
    } catch (error) {
      if (!failing) onFailure?.(error)
      failing = true
    }
  }
}

/** The sender and the organizations, split so that each payload is shorter than PostgreSQL's limit of 8,000 bytes. */
function payloadsOf(sender: string, orgIds: readonly string[]): string[] {
  const starts = Array.from({ length: Math.ceil(orgIds.length / mostInOne) }, (_, i) => i * mostInOne)
  return starts.map((start) => [sender, ...orgIds.slice(start, start + mostInOne)].join(' '))
}

const mostInOne = 200

const channel = 'taskwright_events'
