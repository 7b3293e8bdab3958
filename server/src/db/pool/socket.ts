import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * A socket to PostgreSQL that sends all writes of one turn of the event loop in one packet. Otherwise the other side would wake
 * up for each statement of a batch.
 */
export function corkingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathers = false
  // only after the connect, which restores the original `write`
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
 * Reads only a part of a long result in each turn of the event loop. Otherwise megabytes that have arrived are parsed in one.
 * @param stream to PostgreSQL; another listener parses its `data`
 */
export function readInChunks(stream: Duplex): void {
  let inTurn = 0
  stream.on('data', (part: Buffer) => {
    // a short part is the last one that has arrived
    if (part.length < shortest) return
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += part.length
    if (inTurn < mostInTurn) return
    stream.pause()
    setImmediate(() => stream.resume())
  })
}

/** The most bytes of one read on an encrypted connection. Without encryption a read gets up to four times as many. */
const shortest = 16_384
const mostInTurn = 65_536

const closeTimeoutMs = 2_000

/** Waits until connections have closed, and destroys them if that takes too long. */
export async function closeOrDestroy(ending: Promise<unknown>, sockets: Iterable<Socket>): Promise<void> {
  const late = setTimeout(() => destroySockets(sockets), closeTimeoutMs)
  await ending.finally(() => clearTimeout(late))
}

/** Resolves when all sockets are closed. */
export async function allClosed(sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve))
}

/** Destroys connections, even with statements in flight. */
export function destroySockets(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy()
}
