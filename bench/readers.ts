import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Readers of the stream of events, each on a connection of its own. */
interface Readers {
  /** called with whatever arrives at one of them; most of them only take it */
  onData(arrived: (text: string) => void): void
  close(): void
}

/** Opens so many streams of the organization that a key belongs to. Returns once all of them have begun. */
export async function openReaders(base: string, key: string, count: number): Promise<Readers> {
  const { hostname, port } = new URL(base)
  let arrived: ((text: string) => void) | undefined
  const sockets: Socket[] = []
  // a few at a time, as clients come that have been cut off
  for (let begun = 0; begun < count; begun += 50) {
    const opening = Array.from({ length: Math.min(50, count - begun) }, () => open(hostname, Number(port), key))
    sockets.push(...(await Promise.all(opening)))
  }
  for (const socket of sockets) socket.on('data', (bytes) => arrived?.(bytes.toString()))
  return {
    onData(told) {
      arrived = told
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function open(host: string, port: number, key: string): Promise<Socket> {
  const socket = connect(port, host)
  // what is closed while it sends is reset
  socket.on('error', () => {})
  const lines = [
    'GET /api/v1/events HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${key}`,
    'Accept: text/event-stream',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  while (!text.includes('retry:')) {
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    text += bytes
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(`A stream is answered with ${text.slice(0, 200)}`)
  }
  return socket
}
