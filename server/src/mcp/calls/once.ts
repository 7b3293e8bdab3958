import { createHash } from 'node:crypto'
import { canonical } from '../../operations/idempotency.ts'

/** By what a write is known to have been done before. */
export interface Once {
  /** its Idempotency-Key */
  key: string
  /** equal for equal calls only */
  fingerprint: Buffer
  /** how long the key is kept; undefined: as long as those of all requests */
  ttlMs: number | undefined
}

/**
 * How long calls with the same arguments are one call, where they say no key: a client whose answer was lost calls again
 * within seconds, or its agent within minutes.
 */
const sameForMs = 600_000

/**
 * A client whose answer got lost has to send its call again under another JSON-RPC id, so only what it says tells that it is
 * the same: its `idempotencyKey`, else the tool, the arguments, and what the call found.
 * @see MCP 2026-07-28, key changes, "resumability"
 */
export function onceFor(tool: string, input: object, { step = '', found }: { step?: string; found?: unknown }): Once {
  const { idempotencyKey, ...said } = input as { idempotencyKey?: string }
  const call = [tool, said, step]
  const key = idempotencyKey === undefined ? ['said', call, found ?? null] : ['given', tool, idempotencyKey, step]
  return {
    key: `mcp-${hashOf(key).toString('base64url')}`,
    fingerprint: hashOf(call),
    ttlMs: idempotencyKey === undefined ? sameForMs : undefined,
  }
}

const hashOf = (value: unknown): Buffer => createHash('sha256').update(canonical(value)).digest()
