import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { StartupProblem } from '../db/startup-problem.ts'
import { addUpMetrics, type JobMetrics } from '../metrics.ts'
import { openDoor } from './acceptor.ts'
import { longestDrainMs } from './api-server.ts'
import { spreadForgetting } from './cache-invalidation.ts'
import { connectionVariable, drainNow, endIsNear, ready } from './worker.ts'

/** Whatever answers requests: this process, or its workers. */
export interface Serving {
  /** what it listens on */
  address: string
  port: number
  /** once all of it answers */
  ready: Promise<unknown>
  /** rejects when it cannot go on */
  failed: Promise<never>
  /** says to whoever asks whether it is ready that it will end, and goes on */
  announceEnd(): void
  /** ends without dropping a request */
  drain(): Promise<void>
}

const program = fileURLToPath(new URL('../../bin/taskwright.mjs', import.meta.url))
const provenMs = 10_000
const mostEarlyDeaths = 5
const firstPauseMs = 100
const patienceMs = longestDrainMs + 3_000

/**
 * Serves by several processes on one port. This one answers no requests: it hands out connections and puts another
 * worker in the place of one that died. Should it die itself, node:cluster ends the workers.
 * @param connection where the workers find the database
 * @param jobMetrics of what this process does by itself
 */
export async function startWorkers(
  config: Config,
  connection: pg.ClientConfig,
  jobMetrics: JobMetrics,
  say: (sentence: string) => void,
): Promise<Serving> {
  const door = await openDoor(config.host, config.port)
  addUpMetrics(jobMetrics)
  spreadForgetting(() => [...running].filter(([, { serves }]) => serves).map(([worker]) => worker))
  cluster.setupPrimary({ exec: program, args: ['worker'] })
  const running = new Map<Worker, { serves: boolean }>()
  let stopping = false
  let earlyDeaths = 0
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
  for (let n = 0; n < config.workers; n++) employ()
  return { address: door.address, port: door.port, ...whole, announceEnd, drain }

  function employ() {
    const worker = cluster.fork({ [connectionVariable]: JSON.stringify(connection) })
    const state = { serves: false, proven: false }
    running.set(worker, state)
    let proof: NodeJS.Timeout | undefined
    worker.on('message', (message) => {
      if (message !== ready) return
      state.serves = true
      door.admit(worker)
      proof = setTimeout(() => {
        state.proven = true
        earlyDeaths = 0
      }, provenMs)
      if ([...running.values()].filter(({ serves }) => serves).length === config.workers) allServe()
    })
    const ended = (cause: string) => {
      clearTimeout(proof)
      if (running.delete(worker) && !stopping) replace(state.proven, cause)
    }
    // one that could not even start; or a message to one that is dying, whose exit follows
    worker.on('error', (error) => worker.process.pid ?? ended(error.message))
    worker.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`))
  }

  function replace(proven: boolean, cause: string) {
    if (!proven) earlyDeaths++
    if (earlyDeaths < mostEarlyDeaths) {
      say(`A worker process ended (${cause}); another one takes its place.`)
      // what ends them may pass, such as a database that is changed over
      const pauseMs = proven ? 0 : firstPauseMs * 2 ** earlyDeaths
      setTimeout(() => stopping || employ(), pauseMs)
      return
    }
    stopping = true
    const times = `${mostEarlyDeaths} times in a row (${cause})`
    giveUp(new StartupProblem(`Worker processes ended right after their start, ${times}: the server cannot go on.`))
  }

  function announceEnd() {
    for (const [worker, { serves }] of running) if (serves) worker.send(endIsNear, () => {})
  }

  async function drain() {
    stopping = true
    // before any worker asks its clients to connect anew
    await door.close()
    const exits = [...running].map(async ([worker, { serves }]) => {
      const exited = new Promise((resolve) => worker.once('exit', resolve))
      if (serves) worker.send(drainNow, () => {})
      else worker.process.kill('SIGKILL')
      const stuck = setTimeout(() => worker.process.kill('SIGKILL'), patienceMs)
      await exited
      clearTimeout(stuck)
    })
    await Promise.all(exits)
  }
}
