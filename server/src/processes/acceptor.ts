import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ConfigProblem } from '../config.ts'
import { untilQuiet } from '../http/draining.ts'
import { listenBacklog } from '../http/sockets.ts'
import { listenAtOtherLoopback } from './loopback.ts'

interface Acceptor {
  address: string
  port: number
  /** lets a worker get connections until it ends */
  addWorker(worker: Worker): void
  /** refuses new connections; workers still get the connections that the kernel has accepted */
  close(): Promise<void>
}

/**
 * Listens on the port and hands connections to the workers in turn. A worker gets the next connection once it has
 * confirmed the last one, so a stuck worker gets hardly more. Until a worker is free, connections wait.
 */
export async function openAcceptor(host: string, port: number, say: (sentence: string) => void): Promise<Acceptor> {
  const waiting: Socket[] = []
  const workers: Target[] = []
  let connections = 0
  // paused, so that the worker reads the first byte; the other options are those of http.Server
  const options = { pauseOnConnect: true, noDelay: true }
  const accept = (socket: Socket) => {
    waiting.push(socket)
    dispatch()
  }
  const listener = createServer(options, accept)
  listener.listen({ port, host, backlog: listenBacklog })
  await once(listener, 'listening').catch((error: unknown) => {
    throw listenProblem(error, host)
  })

  const { address, port: chosen } = listener.address() as AddressInfo
  const beside = await listenAtOtherLoopback({ host, port: chosen }, options, accept, say)
  const listeners = beside ? [listener, beside] : [listener]
  return {
    ...{ address, port: chosen },
    addWorker(worker) {
      const target: Target = { worker, inFlight: new Map() }
      worker.on('message', ({ taken }: Partial<TakenMessage>) => {
        if (taken !== undefined) letGo(target, taken)
      })
      worker.once('exit', () => {
        workers.splice(workers.indexOf(target), 1)
        for (const socket of target.inFlight.values()) socket.destroy()
      })
      workers.push(target)
      dispatch()
    },
    async close() {
      await Promise.all(listeners.map((one) => untilQuiet(one, ['connection'])))
      for (const one of listeners) one.close()
      while (waiting.length > 0 && workers.length > 0) dispatchTo(0)
      for (const socket of waiting.splice(0)) socket.destroy()
    },
  }

  function dispatch() {
    while (waiting.length > 0) {
      const next = workers.findIndex(({ inFlight }) => inFlight.size === 0)
      if (next < 0) return
      dispatchTo(next)
    }
  }

  function dispatchTo(index: number) {
    for (const target of workers.splice(index, 1)) {
      workers.push(target)
      for (const socket of waiting.splice(0, 1)) {
        const id = ++connections
        target.inFlight.set(id, socket)
        const message: ConnectionMessage = { connection: id }
        // this fails only when the worker is ending
        target.worker.send(message, socket, { keepOpen: true }, () => {})
        setTimeout(letGo, unconfirmedMs, target, id).unref()
      }
    }
  }

  /** Closes this process's handle of the connection. The worker has its own, if it was able to take it. */
  function letGo({ inFlight }: Target, id: number) {
    inFlight.get(id)?.destroy()
    if (inFlight.delete(id)) dispatch()
  }
}

interface Target {
  worker: Worker
  /** connections that the worker has not confirmed yet, by their numbers */
  inFlight: Map<number, Socket>
}

// a worker without a free file descriptor never confirms: after this time its client is cut off, and it gets the next one
const unconfirmedMs = 5_000

/** Turns an error of listening into a plain sentence if the host is not an address of this machine. */
export function listenProblem(error: unknown, host: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_.*)$/.test(code)) return error
  return new ConfigProblem(`HOST must be an address of this machine, which ${host} is not: ${message}.`)
}

/** To a worker: the connection with this number is attached. */
export interface ConnectionMessage {
  connection: number
}

/** From a worker: it has taken the connection with this number. */
export interface TakenMessage {
  taken: number
}
