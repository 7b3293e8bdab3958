import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const mostRestBytes = 67_108_864

/**
 * The body of a response that the server sends before the request has arrived, on a connection that then closes. The stream sends
 * the body at once. It ends when the rest of the request is read and discarded, or at a limit. Without this, the kernel resets
 * the connection when more data arrives, and the client loses the response.
 * @param restMs how long the rest of the request can take
 * @see RFC 9112 §9.6
 */
export function lingering(request: IncomingMessage, body: string | Buffer, restMs: number): Readable {
  const { socket } = request
  const answer = new Readable({ read() {} })
  answer.push(body)
  let leftBytes = mostRestBytes
  const discard = (piece: Buffer) => {
    leftBytes -= piece.length
    if (leftBytes < 0) end()
  }
  const end = () => {
    clearTimeout(late)
    request.off('data', discard)
    socket.off('end', end)
    answer.push(null)
  }
  const late = setTimeout(end, restMs)
  request.on('data', discard).once('close', end)
  // the client may close its side instead of sending the rest
  socket.once('end', end)
  request.resume()
  return answer
}
