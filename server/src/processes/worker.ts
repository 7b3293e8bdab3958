import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { connectionMessage, takenMessage } from './acceptor.ts'
import { openDatabase, openServer } from './api-server.ts'

/** Names the variable with the connection to the database, as JSON. */
export const connectionVariable = 'TASKWRIGHT_CONNECTION'

/** Says that the worker answers what is handed to it. */
export const readyMessage = 'ready'

/** Says to a worker that its end is near: it says so to whoever asks, and goes on. */
export const shutdownAnnouncedMessage = 'end is near'

/** Says to a worker that nothing more comes: it finishes what is under way and ends. */
export const drainMessage = 'drain'

/** One of several processes that answer requests: takes the connections that the first one hands to it, until told to end. */
export async function runWorker(config: Config): Promise<void> {
  // Ctrl-C reaches every process of the terminal, but only the first one decides
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const logger = openLog(config, { pid: process.pid })
  const connection = JSON.parse(process.env[connectionVariable] ?? '')
  const db = openDatabase(connection, logger, poolSize(config.workers))
  try {
    const metrics = createMetrics(db, { ofProcess: true, ofWorkers: true })
    const { app, announceShutdown, drain } = await openServer(config, db, logger, metrics, { isWorker: true })
    await app.ready()
    const told = untilToldToDrain(app.server, announceShutdown)
    process.send?.(readyMessage)
    await told
    await drain()
  } finally {
    await db.close()
    cluster.worker?.disconnect()
  }
}

/** So many connections to the database that all workers together have 64 at most, but four each at least. */
const poolSize = (workers: number) => Math.max(4, Math.min(24, Math.floor(64 / workers)))

/** Serves what is handed over; resolves when nothing more comes. */
function untilToldToDrain(server: Server, announceShutdown: () => void): Promise<void> {
  // for Node the server begins with this: it then watches how long requests take to arrive
  server.emit('listening')
  return new Promise((resolve) => {
    process.on('message', (message, socket) => {
      if (message === drainMessage) return resolve()
      if (message === shutdownAnnouncedMessage) return announceShutdown()
      if (message !== connectionMessage) return
      if (socket instanceof Socket) serveConnection(server, socket)
      process.send?.(takenMessage)
    })
  })
}

function serveConnection(server: Server, socket: Socket): void {
  // as those that a server accepts itself: who has sent all may still read the answer
  socket.allowHalfOpen = true
  server.emit('connection', socket)
}
