import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { openNotices } from '../events/notices.ts'
import { openLog } from '../monitoring/log.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import type { ConnectionMessage, TakenMessage } from './acceptor.ts'
import { noticeOptions, openDatabase, openServer } from './api-server.ts'
import { limitGarbage } from './garbage.ts'
import { surviveUnhandledRejections } from './unhandled-rejections.ts'
import { version } from './version.ts'

/** The environment variable that holds the connection to the database as JSON. */
export const connectionVariable = 'TASKWRIGHT_CONNECTION'

/** From a worker: it is ready for connections. */
export const readyMessage = 'ready'

/** To a worker: the server will shut down. The worker's /readyz reports this, and it still serves requests. */
export const shutdownAnnouncedMessage = 'end is near'

/** To a worker: no more connections will come. It finishes the requests in flight and ends. */
export const drainMessage = 'drain'

/** Runs one of several processes that serve requests. It serves the connections that the first process hands to it. */
export async function runWorker(config: Config): Promise<void> {
  limitGarbage()
  // Ctrl-C reaches every process; only the first one acts on it
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const logger = openLog(config, { pid: process.pid })
  const connection = JSON.parse(process.env[connectionVariable] ?? '')
  const db = openDatabase(connection, logger, poolSize(config.workers))
  const notices = await openNotices(db, noticeOptions(logger))
  try {
    const metrics = createMetrics(db, { version: await version(), ofProcess: true, ofWorkers: true })
    surviveUnhandledRejections(logger, metrics.unhandledRejections)
    const { app, announceShutdown, drain } = await openServer(config, db, notices, logger, metrics, true)
    await app.ready()
    const told = untilToldToDrain(app.server, announceShutdown)
    process.send?.(readyMessage)
    await told
    await drain()
  } finally {
    await notices.close()
    await db.close()
    cluster.worker?.disconnect()
  }
}

/** The connections of each worker to the database: 64 in all, but at least four and at most 24 each. */
const poolSize = (workers: number) => Math.max(4, Math.min(24, Math.floor(64 / workers)))

/** Serves the connections that the first process hands over; resolves when no more will come. */
function untilToldToDrain(server: Server, announceShutdown: () => void): Promise<void> {
  // on this event Node begins to enforce the time limits of requests
  server.emit('listening')
  return new Promise((resolve) => {
    process.on('message', (message, socket) => {
      if (message === drainMessage) return resolve()
      if (message === shutdownAnnouncedMessage) return announceShutdown()
      const { connection } = message as Partial<ConnectionMessage>
      if (connection === undefined) return
      if (socket instanceof Socket) serveConnection(server, socket)
      process.send?.({ taken: connection } satisfies TakenMessage)
    })
  })
}

function serveConnection(server: Server, socket: Socket): void {
  // as for connections that a server accepts itself: a client that has closed its side can still read the response
  socket.allowHalfOpen = true
  server.emit('connection', socket)
}
