import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Authenticator, Standing } from '../../../access/auth.ts'
import type { Db } from '../../../db/db.ts'
import { eventRightsOfMembers } from '../visibility.ts'
import { Batches, linesOf } from './batches.ts'
import type { EventStream } from './event-stream.ts'
import { type FollowedEvent, readFollowed, readMissed } from './reading.ts'
import { createTurns } from './turns.ts'

interface Options {
  orgId: string
  /** where it begins to follow the log */
  position: number
  db: Db
  authenticator: Pick<Authenticator, 'current'>
  /** called when something in the background failed; it is tried again */
  onFailure: (error: unknown) => void
}

/**
 * The streams of one organization. One reader follows the log for all of them, and hands what is new to each that sees it. A
 * stream that is behind reads by itself until it has reached the common position.
 */
export class OrganizationStreams {
  readonly #options: Options
  /** when keys and rights are read again, whatever the log says */
  confirmAtMs = 0
  readonly #streams = new Set<EventStream>()
  /** those that have reached the position */
  readonly #following = new Set<EventStream>()
  readonly #turns = createTurns(mostCatchingUp)
  #position: number
  #working = false
  #asked = false
  #allUnconfirmed = false
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
    this.#position = options.position
  }

  get streams(): ReadonlySet<EventStream> {
    return this.#streams
  }

  /** Every event up to it was handed to those who follow. */
  get position(): number {
    return this.#position
  }

  /** Takes a stream in. It is sent nothing before `follow`. */
  add(stream: EventStream): void {
    this.#streams.add(stream)
  }

  remove(stream: EventStream): void {
    this.#streams.delete(stream)
    this.#following.delete(stream)
  }

  /** Has a stream read what it has missed, then what is new. */
  async follow(stream: EventStream): Promise<void> {
    try {
      while (!stream.closed && stream.position < this.#position) {
        await this.#turns(async () => {
          await this.#catchUp(stream)
          // so that little waits in memory, however many are behind; and who reads slowly does not hold up the others for long
          await unlessLate(stream.drained())
        })
        await stream.drained()
      }
      if (stream.closed) return
      stream.unconfirmed = true
      this.#following.add(stream)
      this.look()
    } catch (error) {
      this.#options.onFailure(error)
      // its reader goes on from where it was
      stream.end('failed')
    }
  }

  /** Reads what is new, now or as soon as it has read what was new before. */
  look(): void {
    this.#asked = true
    this.#work()
  }

  /** Reads again, for every stream, whether its key works and what it sees. */
  confirmAll(): void {
    this.#allUnconfirmed = true
    this.#work()
  }

  /** Ends all streams: their readers go on from where they were, by a request of its own. */
  end(why: string): void {
    for (const stream of [...this.#streams]) stream.end(why)
  }

  #work(): void {
    if (this.#working) return
    this.#working = true
    void this.#workWhileAsked()
  }

  async #workWhileAsked(): Promise<void> {
    while ((this.#asked || this.#allUnconfirmed) && this.#following.size > 0) {
      // a burst of writes is read together; and the answer to the write that told of it goes first
      await wait(Math.max(0, this.#readAtMs + pauseMs(this.#following.size) - performance.now()))
      // what fails is tried again by the next look, a second later
      await (this.#asked ? this.#readOn() : this.#confirm()).catch(this.#options.onFailure)
    }
    this.#working = false
  }

  async #readOn(): Promise<void> {
    this.#asked = false
    for (let more = true; more && this.#following.size > 0; ) {
      const { db, orgId } = this.#options
      const forAll = [...this.#streams].some(({ caller }) => caller.role === 'member')
      const stretch = await readFollowed(db, orgId, this.#position, forAll)
      this.#readAtMs = performance.now()
      // rights are read after the events that may have changed them
      if (stretch.events.some(changesRights)) this.#allUnconfirmed = true
      await this.#confirm()
      this.#position = stretch.until
      await this.#deliver(stretch.events)
      more = stretch.more
      if (more) await this.#untilFewWait()
    }
  }

  /** Ends streams whose keys open nothing any more, and reads what the members of the others see. */
  async #confirm(): Promise<void> {
    const { authenticator, db, orgId } = this.#options
    if (this.#allUnconfirmed) for (const stream of this.#following) stream.unconfirmed = true
    this.#allUnconfirmed = false
    for (;;) {
      const asking = [...this.#following].filter(({ unconfirmed }) => unconfirmed).slice(0, mostAtOnce)
      if (asking.length === 0) return
      const keyIds = new Set(asking.map(({ caller }) => caller.keyId))
      const standings = await authenticator.current(orgId, [...keyIds])
      for (const stream of asking) confirm(stream, standings.get(stream.caller.keyId))
      const callers = asking.filter(({ closed }) => !closed).map(({ caller }) => caller)
      const rights = new Map((await eventRightsOfMembers(db, callers)).map((some) => [some.memberId, some]))
      for (const stream of asking) {
        stream.rights = rights.get(stream.caller.memberId)
        stream.unconfirmed = false
      }
    }
  }

  async #deliver(events: readonly FollowedEvent[]): Promise<void> {
    if (events.length === 0) return
    const batches = new Batches(events)
    const until = this.#position
    let begunMs = performance.now()
    let inSlice = 0
    for (const stream of [...this.#following]) {
      const batch = stream.unconfirmed ? undefined : stream.rights && batches.for(stream, stream.rights)
      if (batch) stream.send(batch.bytes, batch.count, until)
      else if (!stream.closed) this.#fallBehind(stream)
      // what was written is only handed to the kernel at the end of a slice
      if (++inSlice < mostInSlice && performance.now() - begunMs < sliceMs) continue
      await turn()
      begunMs = performance.now()
      inSlice = 0
    }
  }

  /** It came while the events were being read: without what it is shown, or before its rights were. */
  #fallBehind(stream: EventStream): void {
    this.#following.delete(stream)
    void this.follow(stream)
  }

  /** In a long run of events, gives readers a moment to take what they were sent. */
  async #untilFewWait(): Promise<void> {
    const behind = [...this.#following].filter(({ waitingBytes }) => waitingBytes > 0)
    await unlessLate(Promise.all(behind.map((stream) => stream.drained())))
  }

  async #catchUp(stream: EventStream): Promise<void> {
    if (stream.closed) return
    const { authenticator, db, orgId } = this.#options
    const { keyId } = stream.caller
    confirm(stream, (await authenticator.current(orgId, [keyId])).get(keyId))
    if (stream.closed) return
    const { head, events, until } = await readMissed(db, stream.caller, stream.wanted, stream.position)
    if (stream.position < head.oldest - 1) return stream.end('expired')
    const text = events.map((event) => linesOf(event, event.shown)).join('')
    stream.send(text === '' ? undefined : Buffer.from(text), events.length, until)
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

/** Waits for it, but no longer than a moment. */
async function unlessLate(done: Promise<unknown>): Promise<void> {
  const ending = new AbortController()
  await Promise.race([done, wait(longestWaitMs, undefined, { signal: ending.signal }).catch(() => {})])
  ending.abort()
}

/** Whether an event may change who somebody is, or what they see. */
const changesRights = ({ type }: FollowedEvent) => /^(api_key|member|project_member|project|organization)\./.test(type)

/** How far apart two reads of what is new are: each stream is sent it by a system call of its own, which is all that it costs. */
const pauseMs = (streams: number) => Math.min(mostPauseMs, Math.max(leastPauseMs, streams * pauseOfEachMs))

const pauseOfEachMs = 1
const [leastPauseMs, mostPauseMs] = [20, 100]

// others wait for so long at most
const sliceMs = 8
const mostInSlice = 50

// for those who are behind
const longestWaitMs = 100

const mostAtOnce = 1_000

// streams of the organization that read by themselves at a time
const mostCatchingUp = 4
