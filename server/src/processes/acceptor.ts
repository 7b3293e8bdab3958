import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ConfigProblem } from '../config.ts'
import { quiet } from '../http/draining.ts'
import { mostUnaccepted } from '../http/sockets.ts'

/** The port that workers share. */
export interface Door {
  /** what it listens on */
  address: string
  port: number
  /** hands connections to this worker too, until it ends */
  admit(worker: Worker): void
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
export async function openDoor(host: string, port: number): Promise<Door> {
  const waiting: Socket[] = []
  const crew: { worker: Worker; underWay: Socket[] }[] = []
  // not read, so that the worker finds the first byte; the rest is as http.Server has it
  const listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    waiting.push(socket)
    handOut()
  })
  listener.listen({ port, host, backlog: mostUnaccepted })
  await once(listener, 'listening').catch((error: unknown) => {
    throw unlistenable(error, host)
  })

  const { address, port: chosen } = listener.address() as AddressInfo
  return {
    ...{ address, port: chosen },
    admit(worker) {
      const one = { worker, underWay: [] as Socket[] }
      worker.on('message', (message) => {
        if (message !== taken) return
        // the connection is the worker's; this was only a second hold on it
        one.underWay.shift()?.destroy()
        handOut()
      })
      // a worker that can open no more files could not take it, and Node does not say so otherwise
      worker.process.on('internalMessage', ({ cmd }: { cmd?: string }) => {
        if (cmd !== 'NODE_HANDLE_NACK') return
        waiting.unshift(...one.underWay.splice(0, 1))
        setTimeout(handOut, refusedMs)
      })
      worker.once('exit', () => {
        crew.splice(crew.indexOf(one), 1)
        for (const socket of one.underWay) socket.destroy()
      })
      crew.push(one)
      handOut()
    },
    async close() {
      await quiet(listener, ['connection'])
      listener.close()
      while (waiting.length > 0 && crew.length > 0) handNext(0)
      for (const socket of waiting.splice(0)) socket.destroy()
    },
  }

  function handOut() {
    while (waiting.length > 0) {
      const next = crew.findIndex(({ underWay }) => underWay.length === 0)
      if (next < 0) return
      handNext(next)
    }
  }

  function handNext(turn: number) {
    for (const one of crew.splice(turn, 1)) {
      crew.push(one)
      for (const socket of waiting.splice(0, 1)) {
        one.underWay.push(socket)
        // should it fail, the worker is ending
        one.worker.send(handed, socket, { keepOpen: true }, () => {})
      }
    }
  }
}

// until a worker that could not take a connection is asked again
const refusedMs = 100

/** Why nothing can listen, in a sentence where the host is no address of this machine. */
export function unlistenable(error: unknown, host: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_.*)$/.test(code)) return error
  return new ConfigProblem(`HOST must be an address of this machine, which ${host} is not: ${message}.`)
}

/** Says to a worker that a connection comes along. */
export const handed = 'connection'

/** Says that the worker has taken the last connection. */
export const taken = 'taken'
