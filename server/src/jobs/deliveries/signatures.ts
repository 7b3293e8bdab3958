import { createHmac } from 'node:crypto'

interface Message {
  /** the same on every attempt; without a full stop */
  id: string
  body: string
}

/**
 * Builds the headers by which a receiver verifies a message: one signature for each secret.
 * @param now time of the attempt
 * @see Standard Webhooks 1.0.0, "Signature scheme" and "Webhook headers"
 */
export function signedHeaders({ id, body }: Message, secrets: readonly Buffer[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
