import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

interface Pipeline {
  inFlight: number
  /** those that came in one packet with others; nothing more is read until they begin */
  queued: [IncomingMessage, ServerResponse][]
}

/**
 * Limits how many requests of one connection are answered at a time. A client may send more without waiting for answers:
 * then the connection is not read until there is room.
 * @param isMuchOn whether so many bytes wait to be read on a connection that the next one waits, however few there are
 */
export function limitPipelines(server: Server, most: number, isMuchOn: (socket: Socket) => boolean): void {
  const answering = server.listeners('request') as Answering[]
  const pipelines = new WeakMap<Socket, Pipeline>()
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const pipeline = pipelines.get(socket) ?? { inFlight: 0, queued: [] }
    pipelines.set(socket, pipeline)
    if (pipeline.queued.length === 0 && hasRoom(socket, pipeline)) return begin(socket, pipeline, request, response)
    if (pipeline.queued.push([request, response]) === 1) stopReading(socket)
  })

  function hasRoom(socket: Socket, { inFlight }: Pipeline): boolean {
    return inFlight === 0 || (inFlight < most && !isMuchOn(socket))
  }

  function begin(socket: Socket, pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    pipeline.inFlight++
    response.once('close', () => {
      pipeline.inFlight--
      while (hasRoom(socket, pipeline)) {
        const [next] = pipeline.queued.splice(0, 1)
        if (next === undefined) return
        if (pipeline.queued.length === 0) goOnReading(socket)
        if (!socket.destroyed) begin(socket, pipeline, ...next)
      }
    })
    for (const answer of answering) answer.call(server, request, response)
  }
}

function stopReading(socket: Socket): void {
  socket.pause()
  // an earlier request that ends would resume the socket
  socket.resume = () => socket
}

function goOnReading(socket: Socket): void {
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}
