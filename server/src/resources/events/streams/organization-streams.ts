import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Authenticator } from '../../../access/auth.ts'
import { credentialId } from '../../../access/caller.ts'
import type { KeyAccess } from '../../../access/current-rights.ts'
import type { Db } from '../../../db/db.ts'
import { nilId } from '../../../db/ids.ts'
import type { ShownEvent } from '../../../events/log.ts'
import { type ReadPart, readEvents } from '../feed.ts'
import { matchesFilters } from '../filters.ts'
import { eventRightsOfMembers, seesEvent, seesKeys } from '../visibility.ts'
import type { EventStream } from './event-stream.ts'

interface Options {
  orgId: string
  /** the sequence after which it follows the log */
  position: number
  db: Db
  authenticator: Pick<Authenticator, 'current'>
  /** called when background work fails; the next look tries it again */
  onFailure: (error: unknown) => void
}

/** An event as lines of a stream, with and without the API keys that only some readers see. */
interface Lines {
  event: ShownEvent
  withKeys: Buffer
  withoutKeys: Buffer
}

/**
 * The streams of one organization. One read of the log serves all of them: each stream gets the new events that it may
 * see. A stream can be behind, because it began further back or because its reader is slow. Then it reads the missed
 * events itself.
 */
export class OrganizationStreams {
  readonly #options: Options
  readonly streams = new Set<EventStream>()
  /** when to read keys and rights again, even without an event */
  confirmAtMs = 0
  /** every event up to this sequence was delivered to the streams that are not behind */
  position: number
  #working = false
  #asked = false
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
    this.position = options.position
  }

  /** Whether a stream waits for events that it missed. */
  get hasBehind(): boolean {
    return [...this.streams].some((stream) => this.#isBehind(stream))
  }

  /** Reads new events, now or after the current read. */
  look(): void {
    this.#asked = true
    if (!this.#working) void this.#work()
  }

  /** Reads the key and the rights of every stream again. */
  confirmAll(): void {
    this.#forgetRights()
    this.look()
  }

  /** Ends all streams. Their readers reconnect and continue from their position. */
  end(why: string): void {
    for (const stream of [...this.streams]) stream.end(why)
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#asked && this.streams.size > 0) {
      // one read serves a burst of writes, and the response to the write that notified us goes first
      await wait(Math.max(0, this.#readAtMs + pauseMs(this.streams.size) - performance.now()))
      this.#asked = false
      // after a failure, the next look tries again, a second later
      await this.#readOn().catch(this.#options.onFailure)
    }
    this.#working = false
  }

  async #readOn(): Promise<void> {
    for (let more = true; more && this.streams.size > 0; ) {
      const { db, orgId } = this.#options
      const everything = { orgId, memberId: nilId, role: 'owner' } as const
      const part = await readEvents(db, everything, page, { after: this.position, mostBytes })
      this.#readAtMs = performance.now()
      const lines = part.events.map(({ shown }) => linesOf(JSON.parse(shown), shown))
      // read rights after the events that may have changed them
      if (lines.some(({ event }) => changesRights(event))) this.#forgetRights()
      await this.#confirm()
      await this.#deliver(lines, readUntil(part, this.position))
      more = this.position < part.latest || (await this.#catchUp())
    }
  }

  /** Ends streams whose keys no longer work, and reads the rights of the other members. */
  async #confirm(): Promise<void> {
    const { authenticator, db, orgId } = this.#options
    const asking = [...this.streams].filter(({ rights }) => rights === undefined)
    if (asking.length === 0) return
    const standings = await authenticator.current(
      orgId,
      asking.map(({ caller }) => caller),
    )
    for (const stream of asking) confirm(stream, standings.get(credentialId(stream.caller)))
    const callers = asking.filter(({ closed }) => !closed).map(({ caller }) => caller)
    const rights = new Map((await eventRightsOfMembers(db, callers)).map((some) => [some.memberId, some]))
    for (const stream of asking) stream.rights = rights.get(stream.caller.memberId)
  }

  #forgetRights(): void {
    for (const stream of this.streams) stream.rights = undefined
  }

  async #deliver(lines: readonly Lines[], until: number): Promise<void> {
    const from = this.position
    this.position = until
    let begunMs = performance.now()
    for (const stream of [...this.streams]) {
      const { position, rights, wanted, hasRoom } = stream
      if (position < from || position >= until || rights === undefined || !hasRoom) continue
      const seen = lines.filter(
        ({ event }) => event.sequence > position && matchesFilters(wanted.filters, event) && seesEvent(rights, event),
      )
      stream.send(
        seen.map((one) => (seesKeys(rights, one.event) ? one.withKeys : one.withoutKeys)),
        until,
      )
      if (performance.now() - begunMs < sliceMs) continue
      await turn()
      begunMs = performance.now()
    }
  }

  /** Lets some streams that are behind read on. @returns whether to continue at once */
  async #catchUp(): Promise<boolean> {
    const some = [...this.streams].filter((stream) => this.#isBehind(stream)).slice(0, mostCatchingUp)
    const positions = some.map(({ position }) => position)
    const read = some.map((stream) => this.#readMissed(stream).catch(this.#options.onFailure))
    await Promise.all(read)
    return some.some(({ position }, i) => position !== positions[i]) && this.hasBehind
  }

  async #readMissed(stream: EventStream): Promise<void> {
    const { caller, wanted, position } = stream
    const query = { ...wanted.filters, ...page }
    const part = await readEvents(this.#options.db, caller, query, { after: position, mostBytes })
    if (position < part.oldest - 1) return stream.end('expired')
    const events = part.events.map(({ sequence, type, shown }) => eventLines(sequence, type, shown))
    stream.send(events, readUntil(part, position))
    // move it to the end, so that other streams come first
    if (this.streams.delete(stream)) this.streams.add(stream)
  }

  #isBehind({ closed, position, rights, hasRoom }: EventStream): boolean {
    return !closed && position < this.position && rights !== undefined && hasRoom
  }
}

function confirm(stream: EventStream, standing: KeyAccess | undefined): void {
  if (!standing?.scopes.includes('read')) {
    stream.end('key')
    return
  }
  const { role, scopes, expiresAtMs } = standing
  stream.caller = { ...stream.caller, role, scopes }
  stream.expiresAtMs = expiresAtMs
}

/** The sequence up to which the log was read. */
const readUntil = ({ more, events, high }: ReadPart, position: number): number =>
  Math.max(position, (more ? events.at(-1)?.sequence : high) ?? position)

function linesOf(event: ShownEvent, shown: string): Lines {
  const { sequence, type, actor, snapshot } = event
  const hidden = {
    ...event,
    actor: { ...actor, apiKeyId: null },
    snapshot: type.startsWith('api_key.') ? { ...snapshot, createdWith: null } : snapshot,
  }
  return {
    event,
    withKeys: eventLines(sequence, type, shown),
    withoutKeys: eventLines(sequence, type, JSON.stringify(hidden)),
  }
}

/** The JSON of an event has no line break, so one `data` line holds it. */
const eventLines = (sequence: number, type: string, json: string): Buffer =>
  Buffer.from(`id: ${sequence}\nevent: ${type}\ndata: ${json}\n\n`)

/** Whether an event may change the role of a member, the scopes of a key, or the events that a member sees. */
const changesRights = ({ type }: ShownEvent) => /^(api_key|member|project_member|project|organization)\./.test(type)

/** The time between two reads of new events. More streams wait longer, because each costs one system call per read. */
const pauseMs = (streams: number) => Math.min(100, Math.max(20, streams))

// the longest time that a delivery blocks the event loop
const sliceMs = 8

// the limits of one read
const page = { limit: 200 }
const mostBytes = 262_144

// streams of the organization that catch up at the same time
const mostCatchingUp = 4
