import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const mostRestBytes = 67_108_864

/**
 * The body of an answer that comes before the request has arrived, on a connection that closes behind it. It is sent at once, and
 * ends when the rest of the request was read and thrown away, or a limit is reached. Without this the system resets the connection
 * when more arrives, and the client loses the answer with it.
 * @param restMs how long the rest may take
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
  // the client may send no more, and leave
  socket.once('end', end)
  request.resume()
  return answer
}
