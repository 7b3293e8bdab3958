import cluster, { type Worker } from 'node:cluster'

/** How long to wait for a worker. After that its cached entries have expired anyway. */
const timeoutMs = 1_000

/** Asks another process to drop its cached entries of an organization, or confirms that it did. */
interface Message {
  invalidate?: { orgId: string; request: number }
  invalidated?: number
}

let lastRequest = 0
const waiting = new Map<number, () => void>()

/** In a worker: tells all other workers to invalidate. Resolves when they have, or when their cached entries have expired. */
export const invalidateOthers = (orgId: string): Promise<void> =>
  requestInvalidation(orgId, (message) => process.send?.(message))

/** In a worker: calls back when another process asks for an invalidation. */
export function onInvalidation(forget: (orgId: string) => void): void {
  process.on('message', ({ invalidate: told, invalidated }: Message) => {
    if (invalidated !== undefined) waiting.get(invalidated)?.()
    if (told === undefined) return
    forget(told.orgId)
    process.send?.({ invalidated: told.request } satisfies Message)
  })
}

/**
 * In the first process: passes an invalidation by one worker on to all others, then confirms it to that worker.
 * @param serving the workers that serve requests
 */
export function relayInvalidations(serving: () => readonly Worker[]): void {
  cluster.on('message', async (from: Worker, { invalidate, invalidated }: Message) => {
    if (invalidated !== undefined) waiting.get(invalidated)?.()
    if (invalidate === undefined) return
    const others = serving().filter((worker) => worker !== from)
    // a worker that is ending does not reply
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
