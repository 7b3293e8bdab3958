import type { Authenticator } from '../../../access/auth.ts'
import { ApiError } from '../../../contract/errors.ts'
import type { Database } from '../../../db/pool/database.ts'
import { sql } from '../../../db/sql.ts'
import { isBeyondLog, type ReadHead, readHead, refuseUnlessReached, standby } from '../../../events/head.ts'
import type { Notices } from '../../../events/notices.ts'
import type { Streams, WantedStream } from '../../../operations/streaming.ts'
import { EventStream } from './event-stream.ts'
import { OrganizationStreams } from './organization-streams.ts'

/** Counts streams and their events for the metrics. */
interface StreamCounts {
  opened(): void
  closed(why: string): void
  sent(events: number): void
  /** @param state how far the streams are behind, in events and in bytes that wait for readers */
  watch(state: () => { behind: number; waitingBytes: number }): void
}

/** The dependencies and the limits of streams. */
export interface StreamOptions {
  db: Database
  notices: Pick<Notices, 'onNotice'>
  authenticator: Pick<Authenticator, 'current'>
  counts?: StreamCounts | undefined
  /** called when background work begins to fail */
  onFailure?: (error: unknown) => void
  /** how often to check the logs, in case a notice was lost */
  lookEveryMs?: number
  commentEveryMs?: number
  /** how often to read keys and rights again, even without an event */
  confirmEveryMs?: number
  /** how long sent data may wait for its reader; after that, the server closes the stream */
  longestStallMs?: number
  /** the maximum of bytes that wait for the readers of all streams together */
  mostWaitingBytesInAll?: number
  mostOfOrganization?: number
}

type Counter = { orgId: string } & Pick<ReadHead, 'latest' | 'standby'>

/** The streams of this process, until they are ended. */
interface OpenStreams extends Streams {
  /** ends all streams, and every later one as it opens: their readers reconnect to another process */
  end(): void
}

/**
 * Opens the streams of this process. While nothing happens, they cost one statement a second, however many there are.
 */
export function openStreams(options: StreamOptions): OpenStreams {
  const { db, notices, authenticator, counts, onFailure = () => {} } = options
  const { lookEveryMs = 1_000, mostOfOrganization = 2_000, mostWaitingBytesInAll = 268_435_456 } = options
  const { confirmEveryMs = 60_000 } = options
  const { commentEveryMs = 15_000, longestStallMs = 60_000 } = options
  const organizations = new Map<string, OrganizationStreams>()
  let [ending, looking, failing] = [false, false, false]
  let behind = 0
  counts?.watch(() => ({ behind, waitingBytes: allStreams().reduce((sum, stream) => sum + stream.waitingBytes, 0) }))
  const stopHearing = notices.onNotice((orgId) => {
    if (orgId === undefined) void look()
    else organizations.get(orgId)?.look()
  })
  const ticks = setInterval(tick, lookEveryMs).unref()
  return { open, end }

  async function open(wanted: WantedStream): Promise<EventStream> {
    const { orgId } = wanted.caller
    refuseIfTooMany(orgId)
    const head = await readHead(db, orgId)
    const position = wanted.after ?? head.latest
    refuseUnlessReached(position, head)
    refuseIfTooMany(orgId)
    const organization = organizations.get(orgId) ?? begin(orgId, head.latest)
    const stream = new EventStream(wanted, position, {
      commentEveryMs,
      longestStallMs,
      onReady: () => (ending ? stream.end('stopping') : organization.look()),
      onSent: (events) => counts?.sent(events),
      onClose: (why) => {
        organization.streams.delete(stream)
        if (organization.streams.size === 0) organizations.delete(orgId)
        counts?.closed(why)
      },
    })
    organization.streams.add(stream)
    counts?.opened()
    return stream
  }

  function begin(orgId: string, position: number): OrganizationStreams {
    const begun = new OrganizationStreams({
      orgId,
      position,
      db,
      authenticator,
      onFailure: failed,
    })
    organizations.set(orgId, confirmLater(begun))
    return begun
  }

  /** Schedules the next confirmation, at a random time so that organizations do not confirm together. */
  function confirmLater(one: OrganizationStreams): OrganizationStreams {
    one.confirmAtMs = performance.now() + confirmEveryMs * (0.5 + Math.random())
    return one
  }

  function refuseIfTooMany(orgId: string): void {
    if ((organizations.get(orgId)?.streams.size ?? 0) >= mostOfOrganization) throw tooMany
  }

  function end(): void {
    ending = true
    clearInterval(ticks)
    stopHearing()
    for (const stream of allStreams()) stream.end('stopping')
  }

  function tick(): void {
    const nowMs = performance.now()
    let waitingBytes = 0
    for (const stream of allStreams()) {
      stream.tick(nowMs)
      waitingBytes += stream.waitingBytes
    }
    if (waitingBytes > mostWaitingBytesInAll) cutFullest(waitingBytes)
    for (const one of organizations.values()) if (nowMs > one.confirmAtMs) confirmLater(one).confirmAll()
    void look()
  }

  /** Finds the organizations with new events, in case a notice was lost. */
  async function look(): Promise<void> {
    if (looking) return
    looking = true
    const positions = new Map([...organizations].map(([orgId, { position }]) => [orgId, position]))
    let most = 0
    try {
      const counters = await db.own.rows<Counter>(sql`
        select event_counters.org_id as "orgId", event_counters.last_sequence as latest, ${standby} from event_counters
        where event_counters.org_id = any(${[...positions.keys()]}::uuid[])`)
      for (const { orgId, ...head } of counters) {
        const one = organizations.get(orgId)
        most = Math.max(most, head.latest - (one?.position ?? head.latest))
        if (one && (one.position < head.latest || one.hasBehind)) one.look()
        // the database was restored, or a standby took over without the last events: new events will reuse their
        // numbers
        if (one && isBeyondLog(positions.get(orgId) ?? 0, head)) one.end('reset')
      }
      failing = false
      behind = most
    } catch (error) {
      failed(error)
    } finally {
      looking = false
    }
  }

  /** Reports only the first failure until a read works again. */
  function failed(error: unknown): void {
    if (!failing) onFailure(error)
    failing = true
  }

  function cutFullest(waitingBytes: number): void {
    let left = waitingBytes
    for (const stream of allStreams().toSorted((a, b) => b.waitingBytes - a.waitingBytes)) {
      if (left <= mostWaitingBytesInAll) return
      left -= stream.waitingBytes
      stream.cut('slow')
    }
  }

  function allStreams(): EventStream[] {
    return [...organizations.values()].flatMap(({ streams }) => [...streams])
  }
}

const tooMany = new ApiError(429, 'Your organization has too many streams open here; close some', 'too_many_streams', {
  headers: { 'retry-after': '30' },
})
