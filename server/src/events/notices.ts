import { randomUUID } from 'node:crypto'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'

/** Tells who follows the events of an organization that there are new ones. */
export interface Notices {
  /** Notes, after a commit, that an organization has new events. This process is told at once, others within `everyMs`. */
  note(orgId: string): void
  /**
   * Calls back with each organization that has new events, and with undefined when some may have been missed. A notice may be
   * lost, so who follows events also looks by itself, each second. @returns how to end it
   */
  onNotice(told: (orgId: string | undefined) => void): () => void
  /** sends what was noted, then ends */
  close(): Promise<void>
}

interface NoticeOptions {
  /** how long organizations are gathered before they are sent together */
  everyMs?: number
  /** called when they begin to fail to be sent */
  onFailure?: (error: unknown) => void
}

/**
 * Notices of new events, between all processes on a database. No write sends a NOTIFY of its own, as each of those waits for
 * the commit of the one before it: organizations are gathered, and one statement of each process sends them together.
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
    // this process was told when it noted them
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

  /** Never fails: who follows events notices a second later. */
  async function send(): Promise<void> {
    const payloads = payloadsOf(own, [...noted])
    noted.clear()
    if (payloads.length === 0) return
    try {
      // a notice need not survive a crash, so its commit waits for no disk
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

/** The sender and organizations, as many as one payload holds: it is shorter than 8,000 bytes. */
function payloadsOf(sender: string, orgIds: readonly string[]): string[] {
  const starts = Array.from({ length: Math.ceil(orgIds.length / mostInOne) }, (_, i) => i * mostInOne)
  return starts.map((start) => [sender, ...orgIds.slice(start, start + mostInOne)].join(' '))
}

const mostInOne = 200

const channel = 'taskwright_events'
