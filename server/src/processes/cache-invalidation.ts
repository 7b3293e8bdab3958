import cluster, { type Worker } from 'node:cluster'

/** How long a worker may take to forget. What it read before is older than it believes anything by then. */
const timeoutMs = 1_000

/** A question from one process to another: forget who may do what in an organization; or the answer to it. */
interface Message {
  invalidate?: { orgId: string; request: number }
  invalidated?: number
}

let lastRequest = 0
const waiting = new Map<number, () => void>()

/** In a worker: has all others forget too. Resolves once they have, or believe nothing any more of what they knew. */
export const invalidateOthers = (orgId: string): Promise<void> =>
  requestInvalidation(orgId, (message) => process.send?.(message))

/** In a worker: forgets when it is told to. */
export function onInvalidation(forget: (orgId: string) => void): void {
  process.on('message', ({ invalidate: told, invalidated }: Message) => {
    if (invalidated !== undefined) waiting.get(invalidated)?.()
    if (told === undefined) return
    forget(told.orgId)
    process.send?.({ invalidated: told.request } satisfies Message)
  })
}

/**
 * In the process that has workers: tells all others what one of them was told, and then that one.
 * @param serving the workers that answer requests
 */
export function relayInvalidations(serving: () => readonly Worker[]): void {
  cluster.on('message', async (from: Worker, { invalidate, invalidated }: Message) => {
    if (invalidated !== undefined) waiting.get(invalidated)?.()
    if (invalidate === undefined) return
    const others = serving().filter((worker) => worker !== from)
    // one that ends answers nobody any more
    await Promise.all(
      others.map((one) => requestInvalidation(invalidate.orgId, (message) => one.send(message, () => {}))),
    )
    from.send({ invalidated: invalidate.request } satisfies Message, () => {})
  })
}

function requestInvalidation(orgId: string, send: (message: Message) => void): Promise<void> {
  const number = ++lastRequest
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(tooLong)
      waiting.delete(number)
      resolve()
    }
    const tooLong = setTimeout(done, timeoutMs)
    waiting.set(number, done)
    send({ invalidate: { orgId, request: number } })
  })
}
