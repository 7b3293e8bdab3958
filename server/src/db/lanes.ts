import pg from 'pg'
import { LockedKinds } from './locked.ts'
import { usableForMs } from './session.ts'
import { onConnection } from './statements.ts'
import { Turns, type Waiting, type Who } from './turns.ts'
import { Usages } from './usages.ts'
import { itself, type Work } from './work.ts'

/** A statement that only reads, so it may be sent a second time. */
interface Reading extends Waiting {
  asked: pg.QueryConfig
  succeed: (answered: pg.QueryResult) => void
}

/** A reading on a connection. */
interface Sent {
  reading: Reading
  /** whether it was sent again elsewhere; what comes of it here does not matter */
  moved: boolean
  /** whether it has been at work for so long that it likely waits for a lock */
  stuck: boolean
  expectedMs: number
}

/** A connection that several statements use at the same time. */
interface Lane {
  client: Promise<pg.PoolClient>
  connected: boolean
  /** in the order in which they are answered */
  sent: Sent[]
  /** since when the first of them is at work */
  sinceMs: number
  /** how long all of them together are likely to take */
  expectedMs: number
  /** whether it was silent for too long when it was last looked at */
  doubted: boolean
  /** takes no more statements; whoever is the last on it gives it up */
  leave: () => void
}

interface LanesOptions {
  connect: () => Promise<pg.PoolClient>
  /** how many connections; one organization uses all but one of them */
  most: number
  /** what organizations have under way, on other connections too */
  work: Work
  /** how many statements at a time on each */
  deep: number
  mostWaiting: number
  /** how long a statement waits for one of these places before it fails with ETIMEDOUT */
  patienceMs: number
  /** how long a statement takes until no others wait behind it */
  stuckMs: number
  /** how long one takes until its connection is held to be dead */
  silentMs: number
  /** told when one is */
  onSilence: () => void
}

/**
 * The few connections for many short statements: some are sent before those ahead of them are answered, so that
 * PostgreSQL has the next one when it is done, and one turn of a socket serves several. Those behind one that takes long
 * are sent again elsewhere. Organizations have turns, and one connection is always left for others.
 */
export class Lanes {
  readonly #options: LanesOptions
  /** those that take statements */
  readonly #lanes: Lane[] = []
  /** those and the ones that were left, as long as something is under way on them */
  readonly #open = new Set<Lane>()
  readonly #usages: Usages<Lane>
  readonly #turns: Turns<Reading>
  readonly #locked: LockedKinds
  #watch: NodeJS.Timeout | undefined

  constructor(options: LanesOptions) {
    this.#options = options
    this.#usages = new Usages(options.most)
    this.#turns = new Turns(options)
    options.work.onEnd(() => this.#handOut())
    this.#locked = new LockedKinds(Math.max(1, options.most / 2))
  }

  /** How many statements have no place yet. */
  get waiting(): number {
    return this.#turns.waiting
  }

  query(asked: pg.QueryConfig, who: Who = itself): Promise<pg.QueryResult> {
    return new Promise((succeed, fail) => this.#place({ who, asked, succeed, fail }))
  }

  #place(reading: Reading): void {
    const room = this.#mustWait(reading) ? undefined : this.#roomFor(reading.who)
    if (room) this.#send(reading, room)
    else this.#turns.add(reading)
  }

  #roomFor(who: Who): Lane | typeof furtherLane | undefined {
    const { most, deep, stuckMs } = this.#options
    if (!this.#options.work.mayBegin(who, this.#usages.usualMs(who))) return undefined
    const mayUseMore = this.#usages.mayUseMore(who)
    if (mayUseMore && this.#open.size < most) return furtherLane
    const nowMs = performance.now()
    let best: Lane | undefined
    let least = Number.POSITIVE_INFINITY
    for (const lane of this.#lanes) {
      if (lane.sent.length >= deep || !(mayUseMore || this.#usages.isOn(who, lane))) continue
      const ageMs = lane.sent.length === 0 ? 0 : nowMs - lane.sinceMs
      // what is at work for long is likely to take longer
      const burdenMs = Math.max(ageMs, lane.expectedMs)
      if (ageMs > stuckMs || burdenMs >= least) continue
      best = lane
      least = burdenMs
    }
    return best
  }

  #send(reading: Reading, room: Lane | typeof furtherLane): void {
    const lane = room === furtherLane ? this.#further() : room
    const expectedMs = this.#usages.usualMs(reading.who)
    this.#usages.begun(reading.who, lane)
    this.#options.work.begun(reading.who, expectedMs)
    const sent = { reading, moved: false, stuck: false, expectedMs }
    if (lane.sent.push(sent) === 1) lane.sinceMs = performance.now()
    lane.expectedMs += expectedMs
    if (this.#locked.any) this.#locked.sent(kindOf(reading))
    lane.client
      .then((client) => client.query(onConnection(client, reading.asked)))
      .then(
        (answered) => {
          if (this.#locked.any) this.#locked.passed(kindOf(reading))
          reading.succeed(answered)
          this.#done(sent, lane)
        },
        (error) => this.#failed(sent, lane, error),
      )
  }

  #failed(sent: Sent, lane: Lane, error: Error): void {
    if (!sent.moved) sent.reading.fail(error)
    if (this.#locked.any) this.#locked.passed(kindOf(sent.reading))
    if (!(error instanceof pg.DatabaseError) || endsConnection.test(error.code ?? '')) {
      // that it broke is heard of only later
      lane.leave()
    } else if (error.code === '55P03') {
      this.#locked.failed(kindOf(sent.reading))
      // what is behind it may wait as long, each by itself
      if (lane.sent.length > 1) this.#giveUp(lane)
    }
    this.#done(sent, lane)
  }

  #done(sent: Sent, lane: Lane): void {
    const nowMs = performance.now()
    this.#usages.took(sent.reading.who, nowMs - lane.sinceMs)
    lane.sent.splice(lane.sent.indexOf(sent), 1)
    lane.expectedMs = lane.sent.length === 0 ? 0 : lane.expectedMs - sent.expectedMs
    lane.sinceMs = nowMs
    lane.doubted = false
    if (!sent.moved) this.#ended(sent, lane)
    this.#handOut()
    if (lane.sent.length > 0) return
    this.#close(lane)
    this.#handOut()
  }

  #handOut(): void {
    while (this.#turns.waiting > 0) {
      const next = this.#turns.next(
        (who) => this.#roomFor(who),
        (reading) => !this.#mustWait(reading),
      )
      if (next === undefined) return
      this.#send(next.one, next.place)
    }
  }

  #further(): Lane {
    const client = this.#options.connect()
    const lane: Lane = {
      client,
      connected: false,
      sent: [],
      sinceMs: performance.now(),
      expectedMs: 0,
      doubted: false,
      leave: () => void (this.#lanes.includes(lane) && this.#lanes.splice(this.#lanes.indexOf(lane), 1)),
    }
    client.then((client) => {
      client.once('error', lane.leave)
      const usableMs = usableForMs(client)
      if (usableMs < Number.POSITIVE_INFINITY) setTimeout(lane.leave, usableMs).unref()
      lane.connected = true
      lane.sinceMs = performance.now()
    }, lane.leave)
    this.#lanes.push(lane)
    this.#open.add(lane)
    this.#watch ??= setInterval(() => this.#look(), lookEveryMs).unref()
    return lane
  }

  #close(lane: Lane): void {
    const broken = !this.#lanes.includes(lane)
    lane.leave()
    this.#open.delete(lane)
    lane.client.then(
      (client) => {
        client.off('error', lane.leave)
        client.release(broken)
      },
      () => {},
    )
  }

  /** Breaks the connection; what is behind the first statement on it is sent again elsewhere. */
  #giveUp(lane: Lane): void {
    lane.leave()
    this.#sendOthersAgain(lane)
    void lane.client.then((client) => client.connection.stream.destroy())
  }

  #sendOthersAgain(lane: Lane): void {
    for (const sent of lane.sent.slice(1)) {
      if (sent.moved || sent.reading.who === itself) continue
      sent.moved = true
      this.#ended(sent, lane)
      this.#place(sent.reading)
    }
  }

  /** Looks for connections that are stuck or dead, as long as any is in use. */
  #look(): void {
    this.#usages.forgetPast()
    if (this.#open.size === 0) {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
    const nowMs = performance.now()
    for (const lane of [...this.#open].filter(({ connected }) => connected)) {
      const ageMs = nowMs - lane.sinceMs
      if (ageMs > this.#options.silentMs && lane.doubted) {
        this.#options.onSilence()
        this.#giveUp(lane)
      } else if (ageMs > this.#options.stuckMs) {
        // twice: where this process was busy all the time the answer has only not been read
        lane.doubted = ageMs > this.#options.silentMs
        this.#sendOthersAgain(lane)
        this.#holdStuck(lane)
      }
    }
  }

  /** What waits for a lock takes nothing from others, and its organization's other statements go on. */
  #holdStuck({ sent: [first] }: Lane): void {
    if (first === undefined || first.stuck || first.moved) return
    first.stuck = true
    this.#options.work.ended(first.reading.who, first.expectedMs)
  }

  #ended({ reading, stuck, expectedMs }: Sent, lane: Lane): void {
    this.#usages.ended(reading.who, lane)
    if (!stuck) this.#options.work.ended(reading.who, expectedMs)
  }

  #mustWait(reading: Reading): boolean {
    return this.#locked.any && this.#locked.mustWait(kindOf(reading))
  }
}

// shut down, of a server that only reads, or one that does not know the statements which were parsed on it
const endsConnection = /^(57P..|25006|26000|42P05)$/
const furtherLane = 'further'
const lookEveryMs = 100
const kindOf = ({ who, asked }: Reading) => `${who} ${asked.name ?? asked.text}`
