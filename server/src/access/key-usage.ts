import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'

/** How exactly the last use of a key is stored. */
export const usagePrecisionMs = 60_000

const writeEveryMs = 5_000

/**
 * Writes when keys were last used: the uses of five seconds together, one organization after the other. What cannot be
 * written is dropped; the next use is noted again.
 */
export class KeyUsage {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  /** ids of keys, by organization */
  #pending = new Map<string, Set<string>>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
  }

  note(orgId: string, keyId: string): void {
    this.#pending.set(orgId, (this.#pending.get(orgId) ?? new Set()).add(keyId))
    this.#writeLater()
  }

  /** Writes what was gathered; never fails. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#pending.size > 0) this.#writeLater()
    })
    return this.#writing
  }

  #writeLater(): void {
    if (this.#writing === undefined) this.#timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
  }

  async #writeAll(): Promise<void> {
    const pending = this.#pending
    this.#pending = new Map()
    for (const [orgId, keyIds] of pending) await this.#writeOf(orgId, [...keyIds]).catch(this.#onError)
  }

  async #writeOf(orgId: string, keyIds: string[]): Promise<void> {
    const nowMs = Date.now()
    const usedAt = new Date(nowMs).toISOString()
    const longAgo = new Date(nowMs - usagePrecisionMs).toISOString()
    await this.#db.transaction(async (tx) => {
      // no answer depends on it, so it need not wait for the disk
      tx.send('set local synchronous_commit = off')
      // a key that is being changed is skipped; its next use is written
      tx.send(sql`
        update api_keys set last_used_at = ${usedAt}, version = version + 1
        where org_id = ${orgId} and id in (
          select id from api_keys where org_id = ${orgId} and id = any(${keyIds}::uuid[])
            and coalesce(last_used_at < ${longAgo}, true) for no key update skip locked)`)
    })
  }
}
