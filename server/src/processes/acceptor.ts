import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ConfigProblem } from '../config.ts'
import { untilQuiet } from '../http/draining.ts'
import { listenBacklog } from '../http/sockets.ts'

/** The port that workers share. */
interface Acceptor {
  /** what it listens on */
  address: string
  port: number
  /** from now on this worker gets connections too, until it ends */
  addWorker(worker: Worker): void
  /** refuses further connections; those that the kernel has accepted are still handed to workers */
  close(): Promise<void>
}

/**
 * Listens on the port and hands connections to the workers in turn. A worker gets the next connection once it has
 * confirmed the last one, so a stuck worker gets no more. Until a worker is free, connections wait.
 *
 * node:cluster can do this too, with three faults: a connection on its way to a worker that is killed stays open for ever;
 * the port is closed when the last worker ends; and workers that drain refuse clients one after the other.
 */
export async function openAcceptor(host: string, port: number): Promise<Acceptor> {
  const waiting: Socket[] = []
  const workers: { worker: Worker; inFlight: Socket[] }[] = []
  // paused, so that the worker reads the first byte; the other options are those of http.Server
  const listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    waiting.push(socket)
    dispatch()
  })
  listener.listen({ port, host, backlog: listenBacklog })
  await once(listener, 'listening').catch((error: unknown) => {
    throw listenProblem(error, host)
  })

  const { address, port: chosen } = listener.address() as AddressInfo
  return {
    ...{ address, port: chosen },
    addWorker(worker) {
      const target = { worker, inFlight: [] as Socket[] }
      worker.on('message', (message) => {
        if (message !== takenMessage) return
        // the worker has its own handle of the connection; this one is no longer needed
        target.inFlight.shift()?.destroy()
        dispatch()
      })
      // the worker has no file descriptor left for it; this internal message is the only sign of that
      worker.process.on('internalMessage', ({ cmd }: { cmd?: string }) => {
        if (cmd !== 'NODE_HANDLE_NACK') return
        waiting.unshift(...target.inFlight.splice(0, 1))
        setTimeout(dispatch, retryAfterMs)
      })
      worker.once('exit', () => {
        workers.splice(workers.indexOf(target), 1)
        for (const socket of target.inFlight) socket.destroy()
      })
      workers.push(target)
      dispatch()
    },
    async close() {
      await untilQuiet(listener, ['connection'])
      listener.close()
      while (waiting.length > 0 && workers.length > 0) dispatchTo(0)
      for (const socket of waiting.splice(0)) socket.destroy()
    },
  }

  function dispatch() {
    while (waiting.length > 0) {
      const next = workers.findIndex(({ inFlight }) => inFlight.length === 0)
      if (next < 0) return
      dispatchTo(next)
    }
  }

  function dispatchTo(index: number) {
    for (const target of workers.splice(index, 1)) {
      workers.push(target)
      for (const socket of waiting.splice(0, 1)) {
        target.inFlight.push(socket)
        // it fails only when the worker is ending
        target.worker.send(connectionMessage, socket, { keepOpen: true }, () => {})
      }
    }
  }
}

// after this time a worker that could not take a connection is tried again
const retryAfterMs = 100

/** The error of listening; a plain sentence when the host is no address of this machine. */
export function listenProblem(error: unknown, host: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_.*)$/.test(code)) return error
  return new ConfigProblem(`HOST must be an address of this machine, which ${host} is not: ${message}.`)
}

/** To a worker: a connection is attached. */
export const connectionMessage = 'connection'

/** From a worker: it has taken the last connection. */
export const takenMessage = 'taken'
