import cluster, { type Worker } from 'node:cluster'

/** How long a worker may take to forget. What it read before is older than it believes anything by then. */
const longestMs = 1_000

/** A question from one process to another: forget who may do what in an organization; or the answer to it. */
interface Message {
  forget?: { orgId: string; asked: number }
  forgotten?: number
}

let asked = 0
const waiting = new Map<number, () => void>()

/** In a worker: has all others forget too. Resolves once they have, or believe nothing any more of what they knew. */
export const haveOthersForget = (orgId: string): Promise<void> => answered(orgId, (message) => process.send?.(message))

/** In a worker: forgets when it is told to. */
export function forgetWhenTold(forget: (orgId: string) => void): void {
  process.on('message', ({ forget: told, forgotten }: Message) => {
    if (forgotten !== undefined) waiting.get(forgotten)?.()
    if (told === undefined) return
    forget(told.orgId)
    process.send?.({ forgotten: told.asked } satisfies Message)
  })
}

/**
 * In the process that has workers: tells all others what one of them was told, and then that one.
 * @param serving the workers that answer requests
 */
export function spreadForgetting(serving: () => readonly Worker[]): void {
  cluster.on('message', async (from: Worker, { forget, forgotten }: Message) => {
    if (forgotten !== undefined) waiting.get(forgotten)?.()
    if (forget === undefined) return
    const others = serving().filter((worker) => worker !== from)
    // one that ends answers nobody any more
    await Promise.all(others.map((one) => answered(forget.orgId, (message) => one.send(message, () => {}))))
    from.send({ forgotten: forget.asked } satisfies Message, () => {})
  })
}

function answered(orgId: string, send: (message: Message) => void): Promise<void> {
  const number = ++asked
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(tooLong)
      waiting.delete(number)
      resolve()
    }
    const tooLong = setTimeout(done, longestMs)
    waiting.set(number, done)
    send({ forget: { orgId, asked: number } })
  })
}
