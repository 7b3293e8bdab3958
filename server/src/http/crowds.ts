import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { listenBacklog } from './sockets.ts'

/** So many connections are accepted in a turn of the event loop once a crowd has come. */
const mostInTurn = 16

/** A crowd: for so long somebody connects in each turn of the event loop. */
const crowdMs = 100

/** After so long it is tried again, where it failed. */
const againAfterMs = 60_000

/** So long the other process may take. */
const longestMs = 10_000

interface Logger {
  info(said: object, sentence: string): void
  warn(said: object, sentence: string): void
}

/**
 * Lets a server accept several connections in a turn of its event loop once crowds connect. Node accepts one in each turn for
 * each handle that listens; whoever connects behind a crowd waits for as many turns as there are connections before it, and
 * turns are long where the server is busy. So the socket that listens gets more handles, of which each accepts one. They come
 * from a process that lives for a moment and sends back what it was sent: there is no other way in Node to a second handle of a
 * socket. What they accept is connected to the server as if it had been accepted by it.
 */
export function acceptCrowds(server: Server, logger: Logger) {
  const more: Server[] = []
  let sender: ChildProcess | undefined
  let triedMs = Number.NEGATIVE_INFINITY
  let isClosed = false

  const add = (handle: unknown) => {
    // as http.Server makes its own connections
    const one = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    one.on('error', (error) => logger.warn({ reason: error.message }, oneByOne))
    one.listen(handle, listenBacklog).unref()
    if (isClosed) one.close()
    else more.push(one)
  }
  const close = () => {
    isClosed = true
    sender?.kill()
    for (const one of more) one.close()
  }
  server.once('close', close)
  onCrowd(server, () => {
    const isWanted = server.listening && !isClosed && !sender && more.length === 0
    if (!isWanted || performance.now() - triedMs < againAfterMs) return
    triedMs = performance.now()
    sender = sendBack(server, mostInTurn - 1, add)
    const ended = (reason: string) => {
      sender = undefined
      if (more.length > 0) logger.info({ mostInTurn: more.length + 1 }, 'several connections are accepted at a time')
      else if (!isClosed) logger.warn({ reason }, oneByOne)
    }
    sender.once('error', ({ message }) => ended(message))
    sender.once('exit', () => ended('no handle came back'))
  })
  return { close }
}

const oneByOne = 'a crowd of connections is accepted one by one'

/** Calls back when somebody has connected in each turn of the event loop for a while. */
function onCrowd(server: Server, crowded: () => void): void {
  let sinceMs: number | undefined
  let hasConnected = false
  const look = () => {
    if (!hasConnected) {
      sinceMs = undefined
      return
    }
    hasConnected = false
    if (sinceMs !== undefined && performance.now() - sinceMs > crowdMs) crowded()
    setImmediate(look)
  }
  server.on('connection', () => {
    hasConnected = true
    if (sinceMs !== undefined) return
    sinceMs = performance.now()
    setImmediate(look)
  })
}

/** @param got called with each handle, of the socket that the server listens on */
function sendBack(server: Server, count: number, got: (handle: unknown) => void): ChildProcess {
  const child = spawn(process.execPath, ['-e', senderSource], { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  let left = count
  child.on('message', (_, handle: unknown) => {
    if (handle) got(handle)
    if (--left === 0) child.disconnect()
  })
  // as node:cluster sends it: a net.Server would begin to accept over there
  const { _handle: handle } = server as unknown as { _handle: never }
  child.send(count, handle, () => {})
  child.unref()
  child.channel?.unref()
  const late = setTimeout(() => child.kill(), longestMs).unref()
  child.once('exit', () => clearTimeout(late))
  return child
}

const senderSource = `
  process.on('message', (count, handle) => {
    for (let i = 0; i < count; i++) process.send(i, handle)
  })
  process.on('disconnect', () => process.exit())`
