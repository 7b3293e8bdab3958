import pg from 'pg'
import { onConnection } from './statements.ts'
import { Turns, type Waiting, type Who } from './turns.ts'

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
}

/** A connection that several statements use at the same time. */
interface Lane {
  client: Promise<pg.PoolClient>
  connected: boolean
  /** in the order in which they are answered */
  sent: Sent[]
  /** since when the first of them is at work */
  sinceMs: number
  /** whether it was silent for too long when it was last looked at */
  doubted: boolean
  /** takes no more statements; whoever is the last on it gives it up */
  leave: () => void
}

interface LanesOptions {
  connect: () => Promise<pg.PoolClient>
  /** how many connections; one organization uses all but one of them */
  most: number
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

/** The server itself, which has no share that it could exceed. */
export const itself: Who = ''

/**
 * The few connections for many short statements: some are sent before those ahead of them are answered, so that
 * PostgreSQL has the next one when it is done, and one turn of a socket serves several. Those behind one that takes long
 * are sent again elsewhere. Organizations have turns, and one connection is always left for others.
 */
export class Lanes {
  readonly #options: LanesOptions
  readonly #lanes: Lane[] = []
  /** how many statements an organization has on which lanes */
  readonly #used = new Map<Who, Map<Lane, number>>()
  readonly #turns: Turns<Reading>
  /** what failed as it waited for a lock, and whether one of its kind tries again: only one at a time does */
  readonly #locked = new Map<string, boolean>()
  #watch: NodeJS.Timeout | undefined

  constructor(options: LanesOptions) {
    this.#options = options
    this.#turns = new Turns(options)
  }

  /** How many statements have no place yet. */
  get waiting(): number {
    return this.#turns.waiting
  }

  query(asked: pg.QueryConfig, who: Who = itself): Promise<pg.QueryResult> {
    return new Promise((succeed, fail) => this.#place({ who, asked, succeed, fail }))
  }

  #place(reading: Reading): void {
    const room = this.#waitsForLock(reading) ? undefined : this.#roomFor(reading.who)
    if (room) this.#send(reading, room)
    else this.#turns.add(reading)
  }

  #roomFor(who: Who): Lane | typeof furtherLane | undefined {
    const { most, deep, stuckMs } = this.#options
    const used = this.#used.get(who)
    const mayUseMore = who === itself || used === undefined || used.size < Math.max(1, most - 1)
    if (mayUseMore && this.#lanes.length < most) return furtherLane
    const nowMs = performance.now()
    let best: Lane | undefined
    let least = Number.POSITIVE_INFINITY
    for (const lane of this.#lanes) {
      if (lane.sent.length >= deep || !(mayUseMore || used?.has(lane))) continue
      // what is at work for long is likely to take longer
      const ageMs = lane.sent.length === 0 ? 0 : nowMs - lane.sinceMs
      if (ageMs > stuckMs || ageMs + lane.sent.length >= least) continue
      best = lane
      least = ageMs + lane.sent.length
    }
    return best
  }

  #send(reading: Reading, room: Lane | typeof furtherLane): void {
    const lane = room === furtherLane ? this.#open() : room
    const sent = { reading, moved: false }
    if (lane.sent.push(sent) === 1) lane.sinceMs = performance.now()
    this.#count(reading.who, lane, 1)
    if (this.#locked.size > 0 && this.#locked.has(kindOf(reading))) this.#locked.set(kindOf(reading), true)
    lane.client
      .then((client) => client.query(onConnection(client, reading.asked)))
      .then(
        (answered) => {
          if (this.#locked.size > 0) this.#locked.delete(kindOf(reading))
          reading.succeed(answered)
          this.#done(sent, lane)
        },
        (error) => this.#failed(sent, lane, error),
      )
  }

  #failed(sent: Sent, lane: Lane, error: Error): void {
    if (!sent.moved) sent.reading.fail(error)
    if (this.#locked.size > 0) this.#locked.delete(kindOf(sent.reading))
    if (!(error instanceof pg.DatabaseError) || endsConnection.test(error.code ?? '')) {
      // that it broke is heard of only later
      lane.leave()
    } else if (error.code === '55P03') {
      this.#noteLocked(sent.reading)
      // what is behind it may wait as long, each by itself
      if (lane.sent.length > 1) this.#giveUp(lane)
    }
    this.#done(sent, lane)
  }

  #done(sent: Sent, lane: Lane): void {
    lane.sent.splice(lane.sent.indexOf(sent), 1)
    lane.sinceMs = performance.now()
    lane.doubted = false
    if (!sent.moved) this.#count(sent.reading.who, lane, -1)
    if (this.#turns.waiting > 0) this.#handOut()
    if (lane.sent.length > 0) return
    this.#close(lane)
    if (this.#turns.waiting > 0) this.#handOut()
  }

  #handOut(): void {
    for (;;) {
      const next = this.#turns.next(
        (who) => this.#roomFor(who),
        (reading) => !this.#waitsForLock(reading),
      )
      if (next === undefined) return
      this.#send(next.one, next.place)
    }
  }

  #open(): Lane {
    const client = this.#options.connect()
    const lane: Lane = {
      client,
      connected: false,
      sent: [],
      sinceMs: performance.now(),
      doubted: false,
      leave: () => void (this.#lanes.includes(lane) && this.#lanes.splice(this.#lanes.indexOf(lane), 1)),
    }
    client.then((client) => {
      client.once('error', lane.leave)
      lane.connected = true
      lane.sinceMs = performance.now()
    }, lane.leave)
    this.#lanes.push(lane)
    this.#watch ??= setInterval(() => this.#look(), lookEveryMs).unref()
    return lane
  }

  #close(lane: Lane): void {
    const broken = !this.#lanes.includes(lane)
    lane.leave()
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
      this.#count(sent.reading.who, lane, -1)
      this.#place(sent.reading)
    }
  }

  /** Looks for connections that are stuck or dead, as long as any is in use. */
  #look(): void {
    if (this.#lanes.length === 0) {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
    const nowMs = performance.now()
    for (const lane of this.#lanes.filter(({ connected }) => connected)) {
      const ageMs = nowMs - lane.sinceMs
      if (ageMs > this.#options.silentMs && lane.doubted) {
        this.#options.onSilence()
        this.#giveUp(lane)
      } else if (ageMs > this.#options.stuckMs) {
        // twice: where this process was busy all the time the answer has only not been read
        lane.doubted = ageMs > this.#options.silentMs
        this.#sendOthersAgain(lane)
      }
    }
  }

  #noteLocked(reading: Reading): void {
    this.#locked.set(kindOf(reading), false)
    const [oldest] = this.#locked.keys()
    if (this.#locked.size > mostLocked && oldest !== undefined) this.#locked.delete(oldest)
  }

  /** Whether it may wait for the same lock as others of its kind do, or too many of other kinds. */
  #waitsForLock(reading: Reading): boolean {
    if (this.#locked.size === 0) return false
    const triesAgain = this.#locked.get(kindOf(reading))
    if (triesAgain === undefined) return false
    const trying = [...this.#locked.values()].filter((tries) => tries).length
    return triesAgain || trying >= Math.max(1, this.#options.most / 2)
  }

  #count(who: Who, lane: Lane, more: 1 | -1): void {
    let lanes = this.#used.get(who)
    if (lanes === undefined) {
      lanes = new Map()
      this.#used.set(who, lanes)
    }
    const count = (lanes.get(lane) ?? 0) + more
    if (count > 0) lanes.set(lane, count)
    else if (lanes.delete(lane) && lanes.size === 0) this.#used.delete(who)
  }
}

// shut down, of a server that only reads, or one that does not know the statements which were parsed on it
const endsConnection = /^(57P..|25006|26000|42P05)$/
const furtherLane = 'further'
const lookEveryMs = 100
const mostLocked = 100

const kindOf = ({ who, asked }: Reading) => `${who} ${asked.name ?? asked.text}`
