import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** A token of the operator as the database stores it, without the secret. */
export interface OperatorToken {
  id: string
  name: string
  /** SHA-256, in hexadecimal */
  hash: string
  createdAt: string
}

/** A new token: its secret, and the part to store. */
export function newOperatorToken({ id, name, createdAt }: Omit<OperatorToken, 'hash'>) {
  const secret = `tw_operator_${randomBytes(32).toString('base64url')}`
  return { secret, stored: { id, name, hash: digest(secret).toString('hex'), createdAt } }
}

/** The tokens in the database, oldest first. */
export async function readOperatorTokens(db: Db): Promise<OperatorToken[]> {
  const row = await db.row<{ tokens: OperatorToken[] }>(sql`select operator_tokens as tokens from instance`)
  return row?.tokens ?? []
}

const believedMs = 1_000
const patienceMs = 500

/**
 * The tokens that identify the operator: the token of the setting, and those in the database. It reads the latter when somebody
 * presents a token, at most once a second. So a new or revoked token takes effect in every process within a second.
 */
export class OperatorTokens {
  readonly #db: Db
  readonly #setting: Buffer | undefined
  #stored: readonly Buffer[] | undefined
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<readonly Buffer[]> | undefined

  constructor(db: Db, setting: string | undefined) {
    this.#db = db
    this.#setting = setting === undefined ? undefined : digest(setting)
  }

  /** Whether the token is one of them; undefined if the instance has none. @param presented undefined: no token was sent */
  async knows(presented: string | undefined): Promise<boolean | undefined> {
    const given = presented === undefined ? undefined : digest(presented)
    // the token of the setting needs no database: a monitor scrapes metrics while the database is down
    if (given && this.#setting && timingSafeEqual(given, this.#setting)) return true
    const stored = await this.#read()
    if (this.#setting === undefined && stored.length === 0) return undefined
    return given !== undefined && stored.some((hash) => timingSafeEqual(given, hash))
  }

  /** Like `knows`, but reads the tokens again. */
  async knowsNow(presented: string | undefined): Promise<boolean> {
    // a read that is in flight may be older than this call
    await this.#reading?.catch(() => {})
    this.#readAtMs = Number.NEGATIVE_INFINITY
    return (await this.knows(presented)) === true
  }

  async #read(): Promise<readonly Buffer[]> {
    if (this.#stored && performance.now() - this.#readAtMs <= believedMs) return this.#stored
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined
    })
    // if the database is gone or slow, use the tokens that were read last, so that monitoring goes on
    return this.#stored ? Promise.race([this.#reading, wait(patienceMs, this.#stored, { ref: false })]) : this.#reading
  }

  async #readNow(): Promise<readonly Buffer[]> {
    const begunMs = performance.now()
    try {
      this.#stored = (await readOperatorTokens(this.#db)).map(({ hash }) => Buffer.from(hash, 'hex'))
      this.#readAtMs = begunMs
      return this.#stored
    } catch (error) {
      if (this.#stored) return this.#stored
      throw error
    }
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
