import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { plainClient } from './session.ts'
import { closeOrDestroy } from './socket.ts'

interface Subscription {
  channel: string
  /** called with the payload of every NOTIFY, and with undefined when some may have been missed */
  onNotify: (payload: string | undefined) => void
  /** called when listening begins to fail, and when the reason changes */
  onFailure?: ((error: Error) => void) | undefined
  pingEveryMs?: number
  answerTimeoutMs?: number
}

/**
 * Listens to a channel until it is stopped. It connects again if the connection breaks, gives no response or cannot LISTEN,
 * as on a standby. Resolves after the first try. @returns function that stops it
 */
export async function listenTo(connection: pg.ClientConfig, wanted: Subscription): Promise<() => Promise<void>> {
  const ending = new AbortController()
  let tried = () => {}
  const firstTry = new Promise<void>((resolve) => {
    tried = resolve
  })
  const ended = keepListening(connection, wanted, ending.signal, tried)
  await firstTry
  return () => {
    ending.abort()
    return ended
  }
}

async function keepListening(
  connection: pg.ClientConfig,
  wanted: Subscription,
  ending: AbortSignal,
  tried: () => void,
): Promise<void> {
  let [pauseMs, lastFailure] = [shortestPauseMs, '']
  const begun = () => {
    ;[pauseMs, lastFailure] = [shortestPauseMs, '']
    tried()
  }
  while (!ending.aborted) {
    const failure = await listenOnce(connection, wanted, ending, begun).then(() => undefined, toError)
    wanted.onNotify(undefined)
    if (failure && failure.message !== lastFailure && !ending.aborted) wanted.onFailure?.(failure)
    lastFailure = failure?.message ?? ''
    tried()
    await wait(pauseMs, undefined, { ref: false, signal: ending }).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
}

async function listenOnce(
  connection: pg.ClientConfig,
  { channel, onNotify, pingEveryMs = 10_000, answerTimeoutMs = 5_000 }: Subscription,
  ending: AbortSignal,
  begun: () => void,
): Promise<void> {
  const socket = new Socket()
  const limits = { connectionTimeoutMillis: answerTimeoutMs, query_timeout: answerTimeoutMs }
  const client = plainClient({ ...connection, ...limits, stream: () => socket }, 'taskwright-listen')
  client.on('notification', ({ payload }) => onNotify(payload))
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  const leave = () => closeOrDestroy(client.end(), [socket])
  ending.addEventListener('abort', leave)
  let pings: NodeJS.Timeout | undefined
  try {
    const connecting = client.connect()
    connecting.catch(() => {})
    // if the client is ended while it connects, `connect` never settles
    await Promise.race([connecting, ended])
    if (ending.aborted) return
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    begun()
    onNotify(undefined)
    // only a ping without a reply shows that a connection is dead
    pings = setInterval(() => void client.query('select 1').catch(() => socket.destroy()), pingEveryMs).unref()
    await ended
  } finally {
    clearInterval(pings)
    ending.removeEventListener('abort', leave)
    await leave()
  }
}

const shortestPauseMs = 200
const longestPauseMs = 5_000

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
