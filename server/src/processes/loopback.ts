import { once } from 'node:events'
import { createServer, type Server, type ServerOpts, type Socket } from 'node:net'
import { listenBacklog } from '../http/sockets.ts'

/**
 * Listens at `::1` too, beside a server that listens at `127.0.0.1`: `localhost` means both, and many programs try `::1` first.
 * @param accept gets each connection
 * @returns undefined if the server has another host, or if this machine does not offer `::1` at this port
 */
export async function listenAtOtherLoopback(
  { host, port }: { host: string; port: number },
  options: ServerOpts,
  accept: (socket: Socket) => void,
  say: (sentence: string) => void,
): Promise<Server | undefined> {
  if (host !== '127.0.0.1') return undefined
  const listener = createServer(options, accept)
  listener.listen({ port, host: '::1', backlog: listenBacklog })
  try {
    await once(listener, 'listening')
    return listener
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    say(
      code === 'EADDRINUSE'
        ? `Another program listens on port ${port} of [::1], so http://localhost:${port} can open that program. Stop it, or choose another PORT.`
        : `The server listens on 127.0.0.1 only, because [::1] is not available: ${message}.`,
    )
    return undefined
  }
}
