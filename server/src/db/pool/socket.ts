import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * A socket to PostgreSQL that sends in one packet what is written in one turn of the event loop. Otherwise the other side
 * would wake up for each statement of a batch.
 */
export function corkingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathers = false
  // not before: connecting puts the original `write` back
  socket.once('connect', () => {
    socket.write = (...written: unknown[]) => {
      if (!gathers) gather()
      return write(...written)
    }
  })
  return socket

  function gather() {
    gathers = true
    socket.cork()
    // after all promises of this turn
    process.nextTick(() => {
      gathers = false
      socket.uncork()
    })
  }
}

/**
 * Reads a little of a long answer in each turn of the event loop: what has arrived, be it megabytes, is otherwise parsed in one.
 * @param stream to PostgreSQL, whose `data` somebody parses
 */
export function readInTurns(stream: Duplex): void {
  let inTurn = 0
  stream.on('data', (part: Buffer) => {
    // a short one is the end of what has arrived
    if (part.length < shortest) return
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += part.length
    if (inTurn < mostInTurn) return
    stream.pause()
    setImmediate(() => stream.resume())
  })
}

/** What one read gives at most where the connection is encrypted; where not, four times as much. */
const shortest = 16_384
const mostInTurn = 65_536

/** How long the database may take to close a connection. */
const closeTimeoutMs = 2_000

/** Waits until connections have closed, and destroys them if that takes too long. */
export async function closeOrDestroy(ending: Promise<unknown>, sockets: Iterable<Socket>): Promise<void> {
  const late = setTimeout(() => destroySockets(sockets), closeTimeoutMs)
  await ending.finally(() => clearTimeout(late))
}

/** Resolves once none of them is left. */
export async function allClosed(sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve))
}

/** Destroys connections, whatever is in flight on them. */
export function destroySockets(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy()
}
