import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Authenticator, Standing } from '../../../access/auth.ts'
import type { Db } from '../../../db/db.ts'
import { nilId } from '../../../db/ids.ts'
import type { ShownEvent } from '../../../events/log.ts'
import { type ReadPart, readEvents } from '../feed.ts'
import { matchesFilters } from '../filters.ts'
import { eventRightsOfMembers, seesEvent, seesKeys } from '../visibility.ts'
import type { EventStream } from './event-stream.ts'

interface Options {
  orgId: string
  /** where it begins to follow the log */
  position: number
  db: Db
  authenticator: Pick<Authenticator, 'current'>
  /** called when something in the background failed; it is tried again */
  onFailure: (error: unknown) => void
}

/** An event as lines of a stream, for readers who see the keys of others and for those who do not. */
interface Lines {
  event: ShownEvent
  withKeys: Buffer
  withoutKeys: Buffer
}

/**
 * The streams of one organization. The log is read once for all of them, and what is new is handed to each that sees it. A
 * stream that is behind, as it began further back or reads slowly, gets what it missed by reads of its own.
 */
export class OrganizationStreams {
  readonly #options: Options
  readonly streams = new Set<EventStream>()
  /** when keys and rights are read again, whatever the log says */
  confirmAtMs = 0
  /** Every event up to it was handed to those who are not behind. */
  position: number
  #working = false
  #asked = false
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
    this.position = options.position
  }

  /** Whether a stream waits for what it missed. */
  get hasBehind(): boolean {
    return [...this.streams].some((stream) => this.#isBehind(stream))
  }

  /** Reads what is new, now or as soon as it has read what was new before. */
  look(): void {
    this.#asked = true
    if (!this.#working) void this.#work()
  }

  /** Reads again, for every stream, whether its key works and what it sees. */
  confirmAll(): void {
    this.#forgetRights()
    this.look()
  }

  /** Ends all streams: their readers go on from where they were, by a request of its own. */
  end(why: string): void {
    for (const stream of [...this.streams]) stream.end(why)
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#asked && this.streams.size > 0) {
      // a burst of writes is read together; and the answer to the write that told of it goes first
      await wait(Math.max(0, this.#readAtMs + pauseMs(this.streams.size) - performance.now()))
      this.#asked = false
      // what fails is tried again by the next look, a second later
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
      // rights are read after the events that may have changed them
      if (lines.some(({ event }) => changesRights(event))) this.#forgetRights()
      await this.#confirm()
      await this.#deliver(lines, readUntil(part, this.position))
      more = this.position < part.latest || (await this.#catchUp())
    }
  }

  /** Ends streams whose keys open nothing any more, and reads what the members of the others see. */
  async #confirm(): Promise<void> {
    const { authenticator, db, orgId } = this.#options
    const asking = [...this.streams].filter(({ rights }) => rights === undefined)
    if (asking.length === 0) return
    const standings = await authenticator.current(orgId, [...new Set(asking.map(({ caller }) => caller.keyId))])
    for (const stream of asking) confirm(stream, standings.get(stream.caller.keyId))
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

  /** Lets some of those that are behind read on. @returns whether to go on with that at once */
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
    // others come first then
    if (this.streams.delete(stream)) this.streams.add(stream)
  }

  #isBehind({ closed, position, rights, hasRoom }: EventStream): boolean {
    return !closed && position < this.position && rights !== undefined && hasRoom
  }
}

function confirm(stream: EventStream, standing: Standing | undefined): void {
  if (!standing?.scopes.includes('read')) {
    stream.end('key')
    return
  }
  const { role, scopes, expiresAtMs } = standing
  stream.caller = { ...stream.caller, role, scopes }
  stream.expiresAtMs = expiresAtMs
}

/** How far the log was read from a position on. */
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

/** The JSON of an event holds no line break. */
const eventLines = (sequence: number, type: string, json: string): Buffer =>
  Buffer.from(`id: ${sequence}\nevent: ${type}\ndata: ${json}\n\n`)

/** Whether an event may change who somebody is, or what they see. */
const changesRights = ({ type }: ShownEvent) => /^(api_key|member|project_member|project|organization)\./.test(type)

/** How far apart two reads of what is new are: each stream is sent it by a system call of its own, which is all that it costs. */
const pauseMs = (streams: number) => Math.min(100, Math.max(20, streams))

// others wait for so long at most
const sliceMs = 8

// of one read
const page = { limit: 200 }
const mostBytes = 262_144

// streams of the organization that read by themselves at a time
const mostCatchingUp = 4
