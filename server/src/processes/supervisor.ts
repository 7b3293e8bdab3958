import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { StartupProblem } from '../db/pool/startup-problem.ts'
import type { JobMetrics } from '../monitoring/jobs.ts'
import { aggregateMetrics } from '../monitoring/workers.ts'
import { openAcceptor } from './acceptor.ts'
import { maxDrainMs } from './api-server.ts'
import { relayInvalidations } from './cache-invalidation.ts'
import { connectionVariable, drainMessage, readyMessage, shutdownAnnouncedMessage } from './worker.ts'

/** The processes that serve requests: this one, or its workers. */
export interface ServerProcess {
  address: string
  port: number
  /** resolves when all of them serve */
  ready: Promise<unknown>
  /** rejects when the server cannot go on */
  failed: Promise<never>
  /** makes /readyz report the shutdown; the server still serves requests */
  announceShutdown(): void
  /** ends without dropping a request */
  drain(): Promise<void>
}

const program = fileURLToPath(new URL('../../bin/taskwright.mjs', import.meta.url))
const stableAfterMs = 10_000
const maxEarlyExits = 5
const firstBackoffMs = 100
const killAfterMs = maxDrainMs + 3_000

/**
 * Starts several worker processes on one port. This process serves no requests: it hands out connections and replaces
 * workers that have died. If it dies, node:cluster ends the workers.
 * @param connection the workers' connection to the database
 * @param jobMetrics metrics of this process
 */
export async function startWorkers(
  config: Config,
  connection: pg.ClientConfig,
  jobMetrics: JobMetrics,
  say: (sentence: string) => void,
): Promise<ServerProcess> {
  const acceptor = await openAcceptor(config.host, config.port, say)
  aggregateMetrics(jobMetrics)
  relayInvalidations(() => [...running].filter(([, { serves }]) => serves).map(([worker]) => worker))
  cluster.setupPrimary({ exec: program, args: ['worker'] })
  const running = new Map<Worker, { serves: boolean }>()
  let stopping = false
  let earlyExits = 0
  let allServe = () => {}
  let giveUp = (_: StartupProblem) => {}
  const whole = {
    ready: new Promise<void>((resolve) => {
      allServe = resolve
    }),
    failed: new Promise<never>((_, reject) => {
      giveUp = reject
    }),
  }
  for (let n = 0; n < config.workers; n++) spawnWorker()
  return { address: acceptor.address, port: acceptor.port, ...whole, announceShutdown, drain }

  function spawnWorker() {
    const ownKey = config.secretKey === undefined ? {} : { SECRET_KEY: config.secretKey }
    const worker = cluster.fork({ [connectionVariable]: JSON.stringify(connection), ...ownKey })
    const state = { serves: false, stable: false }
    running.set(worker, state)
    let stableTimer: NodeJS.Timeout | undefined
    worker.on('message', (message) => {
      if (message !== readyMessage) return
      state.serves = true
      acceptor.addWorker(worker)
      stableTimer = setTimeout(() => {
        state.stable = true
        earlyExits = 0
      }, stableAfterMs)
      if ([...running.values()].filter(({ serves }) => serves).length === config.workers) allServe()
    })
    const ended = (cause: string) => {
      clearTimeout(stableTimer)
      if (running.delete(worker) && !stopping) replaceWorker(state.stable, cause)
    }
    // the worker did not start; or a message to a dying worker failed, and its exit event follows
    worker.on('error', (error) => worker.process.pid ?? ended(error.message))
    worker.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`))
  }

  function replaceWorker(stable: boolean, cause: string) {
    if (!stable) earlyExits++
    if (earlyExits < maxEarlyExits) {
      say(`A worker process ended (${cause}); a new one replaces it.`)
      // the cause may pass, for example a failover of the database
      const backoffMs = stable ? 0 : firstBackoffMs * 2 ** earlyExits
      setTimeout(() => stopping || spawnWorker(), backoffMs)
      return
    }
    stopping = true
    const times = `${maxEarlyExits} times in a row (${cause})`
    giveUp(new StartupProblem(`Worker processes ended right after their start, ${times}: the server cannot go on.`))
  }

  function announceShutdown() {
    for (const [worker, { serves }] of running) if (serves) worker.send(shutdownAnnouncedMessage, () => {})
  }

  async function drain() {
    stopping = true
    // start the timer at the signal, as the port may take seconds to close
    const stuck = setTimeout(() => {
      for (const worker of running.keys()) worker.process.kill('SIGKILL')
    }, killAfterMs)
    // close the port before any worker asks its clients to close, as they would connect again
    await acceptor.close()
    const exits = [...running].map(async ([worker, { serves }]) => {
      const exited = new Promise((resolve) => worker.once('exit', resolve))
      if (serves) worker.send(drainMessage, () => {})
      else worker.process.kill('SIGKILL')
      await exited
    })
    await Promise.all(exits)
    clearTimeout(stuck)
  }
}
