import { createHash } from 'node:crypto'
import { type Caller, operator } from '../access/caller.ts'
import { badRequest, conflict, unavailable } from '../contract/errors.ts'
import { namedIn, withoutNames } from '../contract/former-member.ts'
import type { Transaction, TransactionalDb } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Answer } from './answer.ts'
import { seal, unseal } from './sealing.ts'

/** A POST with an Idempotency-Key, which may be repeated. */
interface Claim {
  caller: Caller
  key: string
  /** equal for equal requests only */
  fingerprint: Buffer
  /** whether the response contains a secret */
  secret: boolean
  now: Date
  ttlMs: number
}

const maxWaitMs = 10_000

/**
 * The key in an Idempotency-Key header: 1 to 255 visible ASCII characters, bare or as a quoted string.
 * @throws 400
 * @see RFC 9651 §3.3.3
 */
export function readIdempotencyKey(header: string | string[]): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(String(header))
  const key = quoted?.[1]?.replace(/\\(.)/g, '$1') ?? String(header)
  if (!/^[!-~]{1,255}$/.test(key) || (!quoted && key.startsWith('"'))) {
    throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters', 'invalid_idempotency_key')
  }
  return key
}

/** A hash of method, URL and body. A missing body equals an object without fields, as in every operation. */
export function fingerprintOf(method: string, url: string, body: unknown): Buffer {
  const value = body === undefined ? '{}' : canonicalJson(body)
  return createHash('sha256')
    .update(`${method}\n${url}\n${value === '{}' ? '' : value}`)
    .digest()
}

/** JSON with its members in order and no white space. @see RFC 8785 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  // a number too large for a double is parsed as Infinity, which JSON.stringify would write as null
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

const claimId = ({ caller, key }: Claim) => `${caller.orgId} ${caller.memberId} ${key}`

const queues = new Map<string, Promise<void>>()

/** @param waited whether the request waited for another one, so that the caller may have changed */
type RightsCheck = (waited: boolean) => Promise<void>

/**
 * Runs `effect` at most once per key. Claim, effect, events and response commit together or not at all. The row of the claim
 * is inserted first. A second request with the key waits on its index entry, then finds the response and replays it. Within
 * one process these requests queue without holding a connection.
 * @param allowed called before a success is replayed; throws if the caller may no longer send this request
 * @param effect returns responses below 500, and throws otherwise
 * @throws 409 if the key was used for another request; 403 if its response is sealed under another API key;
 *   503 after 10 s of waiting
 */
export async function runOnce(
  db: TransactionalDb,
  claim: Claim,
  allowed: RightsCheck,
  effect: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const id = claimId(claim)
  const before = queues.get(id)
  let done = () => {}
  const mine = new Promise<void>((resolve) => {
    done = resolve
  })
  const turn = (before ?? Promise.resolve()).then(() => mine)
  queues.set(id, turn)
  try {
    if (before) await atMost(maxWaitMs, before)
    return await claimAndRun(db, claim, allowed, effect, before !== undefined)
  } finally {
    done()
    if (queues.get(id) === turn) queues.delete(id)
  }
}

async function claimAndRun(
  db: TransactionalDb,
  claim: Claim,
  allowed: RightsCheck,
  effect: (tx: Transaction) => Promise<Answer>,
  queued: boolean,
): Promise<Answer> {
  for (let claims = 0; ; claims++) {
    // most keys are new, so insert the claim first and read the stored response only if the key is taken
    const stored = claims > 0 ? await db.row<StoredClaim>(readClaim(claim)) : undefined
    if (stored && isReplayable(claim, stored)) return replay(db, claim, stored, allowed, queued || claims > 0)
    if (claims === 3) throw inProgress()
    try {
      const work = async (tx: Transaction) => {
        const won = tx.row(stored ? takeOverClaim(claim) : insertClaim(claim)).then((row) => {
          if (row === undefined) throw new ClaimTaken()
        })
        tx.savepoint()
        tx.gate(won)
        // the claim decides first: without it the effect is rolled back, whether it succeeded or not
        const outcome = await Promise.allSettled([effect(tx)])
        await won
        const [settled] = outcome
        if (settled.status === 'rejected') throw settled.reason
        tx.send(storeAnswer(claim, settled.value))
        return settled.value
      }
      return await db.transaction(work)
    } catch (error) {
      if (!(error instanceof ClaimTaken)) throw error
    }
  }
}

class ClaimTaken extends Error {}

interface StoredClaim {
  fingerprint: Buffer
  /** null: the claim has no response */
  status: number | null
  headers: Record<string, string> | null
  body: Buffer | null
  sealed: boolean
  expiresAt: string
}

const rowOf = ({ caller, key }: Claim) =>
  sql`org_id = ${caller.orgId} and member_id = ${caller.memberId} and key = ${key}`

type StoredAnswer = StoredClaim & { status: number }

const isReplayable = (claim: Claim, stored: StoredClaim): stored is StoredAnswer =>
  stored.status !== null && Date.parse(stored.expiresAt) > claim.now.getTime()

const expiryOf = ({ now, ttlMs }: Claim) => new Date(now.getTime() + ttlMs).toISOString()

const insertClaim = (claim: Claim): Sql => sql`
  insert into idempotency_keys (org_id, member_id, key, fingerprint, created_at, expires_at)
  values (${claim.caller.orgId}, ${claim.caller.memberId}, ${claim.key}, ${claim.fingerprint},
    ${claim.now.toISOString()}, ${expiryOf(claim)})
  on conflict do nothing returning key`

const takeOverClaim = (claim: Claim): Sql => sql`
  update idempotency_keys set fingerprint = ${claim.fingerprint}, status = null, headers = null, body = null,
    sealed = false, created_at = ${claim.now.toISOString()}, expires_at = ${expiryOf(claim)}
  where ${rowOf(claim)} and (expires_at <= ${claim.now.toISOString()} or status is null) returning key`

/** Notes that the response is about another organization than the caller's, so that it is erased with that organization. */
export function noteOrganizationOfAnswer(tx: Transaction, claim: Claim, orgId: string): void {
  tx.send(sql`update idempotency_keys set tells_of = ${orgId} where ${rowOf(claim)}`)
}

const readClaim = (claim: Claim): Sql => sql`
  select fingerprint, status, headers, body, sealed, expires_at as "expiresAt" from idempotency_keys
  where ${rowOf(claim)}`

function storeAnswer(claim: Claim, { status, headers, body }: Answer): Sql {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const sealed = claim.secret && status < 300 && bytes !== undefined
  const stored = sealed ? seal(claim, bytes) : (bytes ?? null)
  return sql`
    update idempotency_keys set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${stored},
      sealed = ${sealed}
    where ${rowOf(claim)}`
}

async function replay(
  db: TransactionalDb,
  claim: Claim,
  stored: StoredAnswer,
  allowed: RightsCheck,
  waited: boolean,
): Promise<Answer> {
  if (!stored.fingerprint.equals(claim.fingerprint)) {
    throw conflict('This Idempotency-Key was already used with a different request', 'idempotency_key_reused')
  }
  // replay a refusal without a check: it contains no secret, and must be the same as the first time
  if (stored.status < 300) await allowed(waited)
  const body =
    stored.body && stored.sealed
      ? await withoutErased(db, claim, unseal(claim, stored.body))
      : (stored.body ?? undefined)
  return { status: stored.status, headers: { ...stored.headers, 'idempotent-replayed': 'true' }, body }
}

/** Removes the names of erased members when a sealed response is opened, as nobody can remove them from sealed bytes. */
async function withoutErased(db: TransactionalDb, { caller }: Claim, body: Buffer): Promise<Buffer> {
  const answer = JSON.parse(body.toString())
  // a response to the operator belongs to the organization in it
  const orgId = caller.role === operator ? (answer.organization?.id ?? caller.orgId) : caller.orgId
  const rows = await db.rows<{ id: string }>(sql`
    select id from members where org_id = ${orgId} and id = any(${namedIn(answer)}::uuid[]) and erased_at is not null`)
  const erased = new Set<unknown>(rows.map(({ id }) => id))
  return erased.size === 0 ? body : Buffer.from(JSON.stringify(withoutNames(answer, (id) => erased.has(id))))
}

async function atMost(ms: number, before: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(inProgress()), ms)
  })
  await Promise.race([before, tooLong]).finally(() => clearTimeout(timer))
}

const inProgress = () => unavailable('Another request with this Idempotency-Key is still in progress; try again')
