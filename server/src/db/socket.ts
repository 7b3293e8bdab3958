import { Socket } from 'node:net'

/**
 * A connection to PostgreSQL that sends at once what is written in one turn of the event loop: the statements of a flush
 * reach the other side together, which would wake up for each of them.
 */
export function corkingSocket(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathers = false
  // not before: a socket that connects takes the plain `write` again
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
    // behind all that goes on by promises
    process.nextTick(() => {
      gathers = false
      socket.uncork()
    })
  }
}

/** How long the database may take to see a connection off. */
const closeTimeoutMs = 2_000

/** Waits until connections have ended, and cuts them where the database does not answer. */
export async function closeOrDestroy(ending: Promise<unknown>, sockets: Iterable<Socket>): Promise<void> {
  const late = setTimeout(() => destroySockets(sockets), closeTimeoutMs)
  await ending.finally(() => clearTimeout(late))
}

/** Resolves once none of them is left. */
export async function allClosed(sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve))
}

/** Breaks connections, whatever is under way on them. */
export function destroySockets(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy()
}
