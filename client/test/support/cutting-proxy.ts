import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterwards, type Scope } from '../../../server/test/support/afterwards.ts'

interface Options {
  /** where it leads at first */
  to: number
  /** how many bytes pass in a direction of a connection, at most, before it is cut there */
  mostBytes: { sent: number; received: number }
  /** on so many nothing more comes, in place of an end */
  mostSilenced?: number
}

/** A way to a server on which every connection breaks sooner or later, after a number of bytes by chance. */
export async function cuttingProxy(t: Scope, { to, mostBytes, mostSilenced = 0 }: Options) {
  const counts = { connections: 0, cutSending: 0, cutReceiving: 0, silenced: 0 }
  const open = new Set<Socket>()
  let port = to
  const proxy = createServer((near) => {
    counts.connections++
    const far = connect(port, '127.0.0.1')
    for (const end of [near, far]) {
      open.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        for (const either of [near, far]) open.delete(either.destroy())
      })
    }
    const { sent, received } = mostBytes
    // a connection breaks in one direction
    const sending = Math.random() * (sent + received) < sent
    const silences = !sending && counts.silenced < mostSilenced
    if (silences) counts.silenced++
    pass(near, far, sending ? Math.random() * sent : Number.POSITIVE_INFINITY, () => {
      counts.cutSending++
      far.destroy()
    })
    pass(far, near, sending ? Number.POSITIVE_INFINITY : Math.random() * received, () => {
      if (silences) return
      counts.cutReceiving++
      near.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterwards(t, async () => {
    for (const end of open) end.destroy()
    proxy.close()
  })
  return {
    base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    counts,
    /** Breaks all connections now. */
    cutAll() {
      for (const end of open) end.destroy()
    },
    /** Connections lead there from now on. */
    leadTo(other: number) {
      port = other
    },
  }
}

/** Passes on so many bytes; then what follows is lost. */
function pass(from: Socket, to: Socket, bytes: number, cut: () => void): void {
  let left = Math.floor(bytes)
  from.on('data', (chunk: Buffer) => {
    if (left < 0) return
    const part = chunk.subarray(0, left)
    left -= chunk.length
    if (left > 0) to.write(part)
    else {
      left = -1
      to.write(part, cut)
    }
  })
}
