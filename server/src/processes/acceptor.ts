import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ConfigProblem } from '../config.ts'
import { untilQuiet } from '../http/draining.ts'
import { listenBacklog } from '../http/sockets.ts'

/** The port that workers share. */
export interface Acceptor {
  /** what it listens on */
  address: string
  port: number
  /** hands connections to this worker too, until it ends */
  addWorker(worker: Worker): void
  /** refuses connections from now on; those that the kernel has taken are handed out */
  close(): Promise<void>
}

/**
 * Opens the port and hands each connection to the worker whose turn it is. A worker gets the next one when it has taken
 * the last, so one that is stuck gets no more; until some worker can, connections wait.
 *
 * That of node:cluster has the same turns, but a connection on its way to a worker that is killed stays open for ever,
 * the port is given up when the last worker ends, and workers that are told to end refuse clients one after the other.
 */
export async function openAcceptor(host: string, port: number): Promise<Acceptor> {
  const waiting: Socket[] = []
  const workers: { worker: Worker; inFlight: Socket[] }[] = []
  // not read, so that the worker finds the first byte; the rest is as http.Server has it
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
        // the connection is the worker's; this was only a second hold on it
        target.inFlight.shift()?.destroy()
        dispatch()
      })
      // a worker that can open no more files could not take it, and Node does not say so otherwise
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
        // should it fail, the worker is ending
        target.worker.send(connectionMessage, socket, { keepOpen: true }, () => {})
      }
    }
  }
}

// until a worker that could not take a connection is asked again
const retryAfterMs = 100

/** Why nothing can listen, in a sentence where the host is no address of this machine. */
export function listenProblem(error: unknown, host: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_.*)$/.test(code)) return error
  return new ConfigProblem(`HOST must be an address of this machine, which ${host} is not: ${message}.`)
}

/** Says to a worker that a connection comes along. */
export const connectionMessage = 'connection'

/** Says that the worker has taken the last connection. */
export const takenMessage = 'taken'
