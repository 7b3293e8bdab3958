import { createHmac, randomBytes } from 'node:crypto'
import { WrongUse } from '../problems.ts'
import type { Fetch } from '../proxies/proxies.ts'

/** A new secret in the format of webhook secrets. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

// the server's own timeout for a receiver
const timeoutMs = 15_000

/**
 * Forwards events to a receiver in the format of webhooks.
 * @returns a function that sends an event and describes the result
 * @see Standard Webhooks 1.0.0
 */
export function forwarderTo(target: string, secret: string, fetch: Fetch) {
  const typed = /^https?:\/\//.test(target) ? target : `http://${target}`
  if (!URL.canParse(typed))
    throw new WrongUse(`--forward-to takes a URL such as http://localhost:8080/hooks, not '${target}'.`)
  if (!/^whsec_[\w+/-]+=*$/.test(secret)) throw new WrongUse('--secret takes a webhook secret: whsec_ and Base64.')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return async (event: { id: string }, signal: AbortSignal): Promise<string> => {
    const body = JSON.stringify(event)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = `v1,${createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')}`
    const headers = {
      'content-type': 'application/json',
      ...{ 'webhook-id': event.id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    }
    const begunMs = performance.now()
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const answer = await fetch(typed, { method: 'POST', headers, body, redirect: 'manual', signal: ends })
      await answer.arrayBuffer()
      return `-> ${answer.status} in ${Math.round(performance.now() - begunMs)} ms`
    } catch (error) {
      const { name, cause } = error as Error
      const why =
        name === 'TimeoutError'
          ? `none within ${timeoutMs / 1_000} s`
          : (cause as NodeJS.ErrnoException | undefined)?.code
      return `-> no response${why ? ` (${why})` : ''}`
    }
  }
}
