import { randomUUID } from 'node:crypto'

/** What is sent, again and again. `{unique}` in a header or a body is replaced by something else each time. */
export interface Sent {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** It as it is sent once. */
export const filled = (sent: Sent): Sent => JSON.parse(JSON.stringify(sent).replaceAll('{unique}', randomUUID()))

export interface Volley {
  base: string
  /** sent one after the other, by all connections together or by each */
  requests: readonly Sent[]
  connections: number
  seconds: number
}

export interface Outcome {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** answers of another status than 2xx, and requests without an answer */
  failed: number
}
