import { filled, type Sent } from './generators/volley.ts'

/** Sends writes at a steady pace, each when its time has come, whatever became of those before it, until it is closed. */
export function openWriter(base: string, requests: readonly Sent[], perSecond: number): { close(): Promise<void> } {
  const begunMs = performance.now()
  const underWay = new Set<Promise<void>>()
  let [begun, failed] = [0, 0]
  const timer = setInterval(() => {
    for (const due = ((performance.now() - begunMs) / 1_000) * perSecond; begun < due; begun++) {
      const sending = sent(base, requests[begun % requests.length])
        .catch(() => void failed++)
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
  }, 5)
  return {
    async close() {
      clearInterval(timer)
      await Promise.all(underWay)
      // where the machine is too slow for all of them, some are refused
      if (failed === begun) throw new Error(`None of ${begun} writes succeeded`)
    },
  }
}

/** @throws Error unless it succeeds */
async function sent(base: string, request: Sent | undefined): Promise<void> {
  if (request === undefined) throw new Error('There is nothing to write')
  const { path, ...options } = filled(request)
  const response = await fetch(base + path, options)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`A write is answered with ${response.status}`)
}
